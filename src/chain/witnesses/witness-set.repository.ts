import { Injectable } from '@nestjs/common';
import { type Queryable, Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import type { Witness } from '../proof/judge';

export interface StoredWitnesses {
  readonly witnesses: readonly Witness[];
  readonly valid_until_ms: bigint;
  readonly read_at: Date;
  readonly base: readonly Witness[];
  readonly offered: readonly Witness[] | null;
  readonly offered_at: Date | null;
}

const COLUMNS = 'witnesses, valid_until_ms, read_at, base, offered, offered_at';

const READ = statement<[], StoredWitnesses>('witness_set_read', `select ${COLUMNS} from witness_set`);
/** An hour later, what has come about until then is what further changes are counted against. */
const KEEP = statement<[witnesses: string, validUntilMs: number]>(
  'witness_set_keep',
  `insert into witness_set as kept (id, witnesses, valid_until_ms, base) values (1, $1, $2, $1)
   on conflict (id) do update
     set witnesses = excluded.witnesses, valid_until_ms = excluded.valid_until_ms, read_at = now(),
         offered = null, offered_at = null,
         base = case when kept.base_at < now() - interval '1 hour' then kept.witnesses else kept.base end,
         base_at = case when kept.base_at < now() - interval '1 hour' then now() else kept.base_at end`,
);
const OFFER = statement<[witnesses: string]>(
  'witness_set_offer',
  `insert into witness_set (id, witnesses, valid_until_ms, base, offered, offered_at) values (1, '[]', 0, '[]', $1, now())
   on conflict (id) do update set offered = $1, offered_at = now()`,
);
const ACCEPT = statement<[], StoredWitnesses>(
  'witness_set_accept',
  `update witness_set
      set witnesses = offered, base = offered, base_at = now(), read_at = now(), offered = null, offered_at = null
    where offered is not null returning ${COLUMNS}`,
);

/** The table `witness_set`. */
@Injectable()
export class WitnessSetRepository {
  constructor(private readonly sql: Sql) {}

  /** Null before the first reading. */
  find(db: Queryable = this.sql): Promise<StoredWitnesses | null> {
    return db.row(READ);
  }

  async keep(witnesses: readonly Witness[], validUntilMs: number): Promise<void> {
    await this.sql.execute(KEEP, [JSON.stringify(witnesses), validUntilMs]);
  }

  async offer(witnesses: readonly Witness[]): Promise<void> {
    await this.sql.execute(OFFER, [JSON.stringify(witnesses)]);
  }

  /** Null when nothing is offered. */
  accept(db: Queryable): Promise<StoredWitnesses | null> {
    return db.row(ACCEPT);
  }
}
