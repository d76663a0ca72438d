import { Injectable } from '@nestjs/common';
import type { KeyedWallet } from '../chain/pool/wallets/wallet-row';
import type { WalletState } from '../chain/pool/wallets/pool-wallet.entity';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';
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
  readonly ripe_sun: bigint;
  readonly idle_since_ms: bigint | null;
  readonly reward_since_ms: bigint | null;
  readonly ripe_since_ms: bigint | null;
  readonly unpaid_witnesses: readonly string[];
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

/** What a look has found, by block time. */
export interface CareReading {
  readonly atMs: number;
  /** The node's solid block. */
  readonly block: number;
  readonly power: bigint;
  readonly idleVotes: bigint;
  readonly isIdle: boolean;
  readonly rewardSun: bigint;
  readonly isRewardDue: boolean;
  readonly ripeSun: bigint;
  readonly unpaidWitnesses: readonly string[];
  /** Undefined: no node shows what the key may do, so what was known stands. */
  readonly keyFault: string | null | undefined;
}

const COLUMNS = `c.wallet_id as id, w.name, w.address, w.state, 'care' as role, c.key_source, c.permission_id, c.votes, c.claims, c.restakes,
  c.keep_liquid_sun, c.read_ms, c.power, c.idle_votes, c.reward_sun, c.ripe_sun, c.idle_since_ms, c.reward_since_ms, c.ripe_since_ms,
  c.unpaid_witnesses, c.key_fault`;

const LIST = statement<[], CareRow>(
  'stake_care_list',
  `select ${COLUMNS} from stake_care c join pool_wallets w on w.id = c.wallet_id
    where w.removed_at is null order by w.created_at, w.name`,
);

const FIND = statement<[walletId: string], CareRow>(
  'stake_care_find',
  `select ${COLUMNS} from stake_care c join pool_wallets w on w.id = c.wallet_id where c.wallet_id = $1 and w.removed_at is null`,
);

/** Looked at a while ago, or never; or something has become final that the look did not show, after which more is to be done. */
const DUE = statement<[everyMs: number], { id: string }>(
  'stake_care_due',
  `select c.wallet_id as id from stake_care c join pool_wallets w on w.id = c.wallet_id
    where w.removed_at is null
      and (c.read_at is null or c.read_at not between clock_timestamp() - $1::integer * interval '1 millisecond' and clock_timestamp()
           or exists (select from stake_operations o
                       where o.wallet_id = c.wallet_id and o.created_at > now() - interval '1 day' and o.state = 'final'
                         and o.block_number > c.read_block))`,
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
/** With a new key, nothing is known of what it may do. */
const SET = statement<SetValues>(
  'stake_care_set',
  `insert into stake_care (wallet_id, key_source, permission_id, votes, claims, restakes, keep_liquid_sun)
   values ($1, $2, $3, $4::jsonb, $5, $6, $7)
   on conflict (wallet_id) do update
     set key_source = excluded.key_source, permission_id = excluded.permission_id, votes = excluded.votes, claims = excluded.claims,
         restakes = excluded.restakes, keep_liquid_sun = excluded.keep_liquid_sun, read_at = null, key_fault = null`,
);

const REMOVE = statement<[walletId: string]>('stake_care_remove', 'delete from stake_care where wallet_id = $1');

type ReadValues = [
  walletId: string,
  atMs: number,
  power: bigint,
  idleVotes: bigint,
  isIdle: boolean,
  rewardSun: bigint,
  isRewardDue: boolean,
  ripeSun: bigint,
  unpaidWitnesses: string,
  hasKeyFault: boolean,
  keyFault: string | null,
  block: number,
];
const READ = statement<ReadValues>(
  'stake_care_read',
  `update stake_care
      set read_at = clock_timestamp(), read_ms = $2, power = $3, idle_votes = $4, reward_sun = $6, ripe_sun = $8,
          idle_since_ms = case when $5 then coalesce(idle_since_ms, $2) end,
          reward_since_ms = case when $7 then coalesce(reward_since_ms, $2) end,
          ripe_since_ms = case when $8::bigint > 0 then coalesce(ripe_since_ms, $2) end,
          read_block = $12, unpaid_witnesses = $9::jsonb, key_fault = case when $10 then $11 else key_fault end
    where wallet_id = $1`,
);

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

  /** Ids of wallets that are to be looked at. */
  async findDue(everyMs: number): Promise<ReadonlySet<string>> {
    return new Set((await this.sql.rows(DUE, [everyMs])).map(({ id }) => id));
  }

  async set(walletId: string, settings: CareSettings, tx: SqlTransaction): Promise<void> {
    const { keySource, permissionId, votes, claims, restakes, keepLiquidSun } = settings;
    await tx.execute(SET, [walletId, keySource, permissionId, JSON.stringify(votes), claims, restakes, keepLiquidSun]);
  }

  async remove(walletId: string, tx: SqlTransaction): Promise<void> {
    await tx.execute(REMOVE, [walletId]);
  }

  async read(walletId: string, reading: CareReading): Promise<void> {
    const { atMs, block, power, idleVotes, isIdle, rewardSun, isRewardDue, ripeSun, unpaidWitnesses, keyFault } =
      reading;
    const witnesses = JSON.stringify(unpaidWitnesses);
    await this.sql.execute(READ, [
      walletId,
      atMs,
      power,
      idleVotes,
      isIdle,
      rewardSun,
      isRewardDue,
      ripeSun,
      witnesses,
      keyFault !== undefined,
      keyFault ?? null,
      block,
    ]);
  }
}
