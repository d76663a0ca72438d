import { Injectable } from '@nestjs/common';
import type { KeyedWallet } from '../chain/pool/wallets/wallet-row';
import type { WalletState } from '../chain/pool/wallets/pool-wallet.entity';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';
import { KEY_FAULT } from './readings/reading.statements';
import type { VoteShare } from './stake-operation';

/** A wallet's care, with its own key, and what was read for it last. */
export interface CareRow extends KeyedWallet {
  readonly role: 'care';
  readonly state: WalletState;
  readonly votes: readonly VoteShare[];
  readonly claims: boolean;
  readonly restakes: boolean;
  readonly keep_liquid_sun: bigint;
  /** Block time of the reading; null: there was none. */
  readonly read_ms: bigint | null;
  readonly power: bigint;
  readonly idle_votes: bigint;
  readonly reward_sun: bigint;
  readonly key_fault: string | null;
}

export interface CareSettings {
  readonly keySource: string;
  readonly permissionId: number;
  readonly votes: readonly VoteShare[];
  readonly claims: boolean;
  readonly restakes: boolean;
  readonly keepLiquidSun: bigint;
}

const COLUMNS = `c.wallet_id as id, w.name, w.address, w.state, 'care' as role, c.key_source, c.permission_id, c.votes, c.claims, c.restakes,
  c.keep_liquid_sun, r.read_ms, coalesce(r.power, 0) as power, coalesce(r.idle_votes, 0) as idle_votes, coalesce(r.reward_sun, 0) as reward_sun,
  ${KEY_FAULT} as key_fault`;
const FROM = `stake_care c join pool_wallets w on w.id = c.wallet_id left join stake_readings r on r.wallet_id = c.wallet_id`;

const LIST = statement<[], CareRow>(
  'stake_care_list',
  `select ${COLUMNS} from ${FROM}
    where w.removed_at is null order by w.created_at, w.name`,
);

const FIND = statement<[walletId: string], CareRow>(
  'stake_care_find',
  `select ${COLUMNS} from ${FROM} where c.wallet_id = $1 and w.removed_at is null`,
);

type SetValues = [
  walletId: string,
  keySource: string,
  permissionId: number,
  votes: string,
  claims: boolean,
  restakes: boolean,
  keepLiquidSun: bigint,
];
/** With a new key, nothing is known of what it may do; the next run looks. */
const SET = statement<SetValues>(
  'stake_care_set',
  `with again as (update stake_readings set tried_at = '-infinity', failures = 0 where wallet_id = $1)
   insert into stake_care (wallet_id, key_source, permission_id, votes, claims, restakes, keep_liquid_sun)
   values ($1, $2, $3, $4::jsonb, $5, $6, $7)
   on conflict (wallet_id) do update
     set key_source = excluded.key_source, permission_id = excluded.permission_id, votes = excluded.votes, claims = excluded.claims,
         restakes = excluded.restakes, keep_liquid_sun = excluded.keep_liquid_sun, key_faults = '{}'`,
);

const REMOVE = statement<[walletId: string]>('stake_care_remove', 'delete from stake_care where wallet_id = $1');

/** The table `stake_care`. */
@Injectable()
export class CareRepository {
  constructor(private readonly sql: Sql) {}

  list(): Promise<CareRow[]> {
    return this.sql.rows(LIST);
  }

  find(walletId: string, db: Queryable = this.sql): Promise<CareRow | null> {
    return db.row(FIND, [walletId]);
  }

  async set(walletId: string, settings: CareSettings, tx: SqlTransaction): Promise<void> {
    const { keySource, permissionId, votes, claims, restakes, keepLiquidSun } = settings;
    await tx.execute(SET, [walletId, keySource, permissionId, JSON.stringify(votes), claims, restakes, keepLiquidSun]);
  }

  async remove(walletId: string, tx: SqlTransaction): Promise<void> {
    await tx.execute(REMOVE, [walletId]);
  }
}
