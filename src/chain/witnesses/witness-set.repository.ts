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

/** As `valid_until_ms`, of a set that not every node has named yet. */
export const PROVISIONAL = 0;

/** Not every node has named this set yet, or none of these sets. */
export function isProvisional(stored: StoredWitnesses | null): boolean {
  return stored?.valid_until_ms === BigInt(PROVISIONAL);
}

/** Whose signatures count: nobody's while another set stands against a provisional one. */
export function believed(stored: StoredWitnesses | null): readonly Witness[] {
  return stored && !(isProvisional(stored) && stored.offered) ? stored.witnesses : [];
}

const COLUMNS = 'witnesses, valid_until_ms, read_at, base, offered, offered_at';

const READ = statement<[], StoredWitnesses>('witness_set_read', `select ${COLUMNS} from witness_set`);
/** A time to come was noted while the database's clock was ahead. */
const IS_BASE_OLD = `kept.base_at not between now() - interval '1 hour' and now() + interval '1 minute'`;
/**
 * An hour later, what has come about until then is what further changes are counted against, whether every node has named it or not:
 * within months all witnesses may change, and a node that never answers would stop everything then. Who is alone in answering gains no
 * more by it than with a set that all have agreed on. What all nodes have first agreed on counts at once.
 */
const KEEP = statement<[witnesses: string, validUntilMs: number]>(
  'witness_set_keep',
  `insert into witness_set as kept (id, witnesses, valid_until_ms, base) values (1, $1, $2, $1)
   on conflict (id) do update
     set witnesses = excluded.witnesses, valid_until_ms = excluded.valid_until_ms, read_at = now(),
         offered = null, offered_at = null,
         base = case when kept.valid_until_ms = 0 and excluded.valid_until_ms > 0 then excluded.witnesses
                     when ${IS_BASE_OLD} then kept.witnesses
                     else kept.base end,
         base_at = case when ${IS_BASE_OLD} then now() else kept.base_at end`,
);
const OFFER = statement<[witnesses: string, instead: string]>(
  'witness_set_offer',
  `insert into witness_set (id, witnesses, valid_until_ms, base, offered, offered_at) values (1, $2, 0, $2, $1, now())
   on conflict (id) do update set offered = $1, offered_at = now()`,
);
/** For a period: nodes that go on disagreeing are not asked the next moment about what an operator has decided. */
const ACCEPT = statement<[], StoredWitnesses>(
  'witness_set_accept',
  `update witness_set
      set witnesses = offered, base = offered, base_at = now(), read_at = now(), offered = null, offered_at = null,
          valid_until_ms = extract(epoch from now() + interval '6 hours') * 1000
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

  /** @param instead of these, which are believed where they were agreed on before */
  async offer(witnesses: readonly Witness[], instead: readonly Witness[]): Promise<void> {
    await this.sql.execute(OFFER, [JSON.stringify(witnesses), JSON.stringify(instead)]);
  }

  /** Null when nothing is offered. */
  accept(db: Queryable): Promise<StoredWitnesses | null> {
    return db.row(ACCEPT);
  }
}
