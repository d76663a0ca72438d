import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction } from '../../../database/sql';
import { statement } from '../../../database/statement';
import type { AccountView } from '../../tron/node/account-view';
import type { StoredView } from './wallet-view.entity';

/** An account as a node showed it in a block from `block` to `until`. */
export interface TimedView {
  readonly view: AccountView;
  readonly block: number;
  readonly until: number;
  /** By the database's clock, when it was stored. */
  readonly at: Date;
}

export interface WalletViews {
  readonly walletId: string;
  readonly wallet: string;
  readonly address: string;
  readonly explained: TimedView;
  readonly newest: TimedView;
  /** Somebody else's transaction was seen in this block, or one below. */
  readonly usedBlock: number | null;
  /** What it did up to here was before the service watched it. */
  readonly firstBlock: number;
}

/** The first reading of a wallet is where looking begins. */
const STORE = statement<[walletId: string, view: string, block: number, until: number]>(
  'wallet_view_store',
  `insert into wallet_views (wallet_id, newest, newest_block, newest_until, newest_at, explained, explained_block, explained_until, explained_at,
                             first_block)
   values ($1, $2::jsonb, $3, $4, clock_timestamp(), $2::jsonb, $3, $4, clock_timestamp(), $3)
   on conflict (wallet_id) do update
     set newest = excluded.newest, newest_block = excluded.newest_block, newest_until = excluded.newest_until, newest_at = excluded.newest_at`,
);

const USED = statement<[walletIds: readonly string[], block: number]>(
  'wallet_view_used',
  `update wallet_views set used_block = greatest(used_block, $2) where wallet_id = any($1::uuid[])`,
);

type ExplainedValues = [walletId: string, view: string, block: number, until: number, at: Date];
/** By whichever instance looked further. */
const EXPLAINED = statement<ExplainedValues>(
  'wallet_view_explained',
  `update wallet_views
      set explained = $2::jsonb, explained_block = $3, explained_until = $4, explained_at = $5::timestamptz,
          used_block = case when used_block > $3 then used_block end
    where wallet_id = $1 and explained_block < $3`,
);

interface ViewRow {
  readonly wallet_id: string;
  readonly wallet: string;
  readonly address: string;
  readonly newest: StoredView;
  readonly newest_block: bigint;
  readonly newest_until: bigint;
  readonly newest_at: Date;
  readonly explained: StoredView;
  readonly explained_block: bigint;
  readonly explained_until: bigint;
  readonly explained_at: Date;
  readonly used_block: bigint | null;
  readonly first_block: bigint | null;
}
const LIST = statement<[], ViewRow>(
  'wallet_view_list',
  `select v.wallet_id, w.name as wallet, w.address, v.newest, v.newest_block, v.newest_until, v.newest_at,
          v.explained, v.explained_block, v.explained_until, v.explained_at, v.used_block, v.first_block
     from wallet_views v join pool_wallets w on w.id = v.wallet_id where w.removed_at is null order by w.created_at, w.name`,
);

/** The table `wallet_views`. */
@Injectable()
export class WalletViewRepository {
  constructor(private readonly sql: Sql) {}

  async store(tx: SqlTransaction, walletId: string, view: AccountView, block: number, until: number): Promise<void> {
    await tx.execute(STORE, [walletId, toStored(view), block, until]);
  }

  async used(walletIds: readonly string[], block: number): Promise<void> {
    await this.sql.execute(USED, [walletIds, block]);
  }

  /** Up to the block of this reading, everything is explained. */
  async explain(tx: SqlTransaction, walletId: string, { view, block, until, at }: TimedView): Promise<void> {
    await tx.execute(EXPLAINED, [walletId, toStored(view), block, until, at]);
  }

  /** The views of all pool wallets that were read. */
  async list(): Promise<WalletViews[]> {
    return (await this.sql.rows(LIST)).map((row) => ({
      walletId: row.wallet_id,
      wallet: row.wallet,
      address: row.address,
      explained: timed(row.explained, row.explained_block, row.explained_until, row.explained_at),
      newest: timed(row.newest, row.newest_block, row.newest_until, row.newest_at),
      usedBlock: row.used_block === null ? null : Number(row.used_block),
      firstBlock: Number(row.first_block ?? row.explained_block),
    }));
  }
}

function timed(stored: StoredView, block: bigint, until: bigint, at: Date): TimedView {
  return { view: fromStored(stored), block: Number(block), until: Number(until), at };
}

function toStored({ permissions, operatedMs, ...amounts }: AccountView): string {
  const digits = Object.entries(amounts).map(([name, sun]) => [name, String(sun)] as const);
  return JSON.stringify({ ...Object.fromEntries(digits), permissions, operatedMs: String(operatedMs) });
}

function fromStored(stored: StoredView): AccountView {
  const sun = (name: string) => BigInt(stored[name]!);
  return {
    balanceSun: sun('balanceSun'),
    energySun: sun('energySun'),
    bandwidthSun: sun('bandwidthSun'),
    votesSun: sun('votesSun'),
    lentEnergySun: sun('lentEnergySun'),
    lentBandwidthSun: sun('lentBandwidthSun'),
    permissions: stored['permissions']!,
    operatedMs: Number(stored['operatedMs']),
  };
}
