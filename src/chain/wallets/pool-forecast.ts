import { Injectable } from '@nestjs/common';
import { Sql, type Statement } from '../../database/sql';
import { type Forecast, forecastWallet, type Loan } from './forecast';
import { PoolWallets } from './pool-wallets';
import { freeSun, type WalletRow } from './wallet-row';

export interface ForecastRow extends Forecast {
  readonly name: string;
  readonly afterMs: number;
  readonly dueOrders: number;
}

const LOANS: Statement = {
  name: 'pool_loans',
  text: `select wallet_id, stake_sun, (extract(epoch from reclaim_due_at - now()) * 1000)::float8 as due_in_ms
           from delegations where state in ('delegated', 'reclaiming', 'taking_back')`,
};

const MINUTE_MS = 60_000;
export const HORIZONS_MS = [0, 10, 30, 60, 3 * 60, 6 * 60, 12 * 60, 24 * 60].map((minutes) => minutes * MINUTE_MS);

/** What comes back when, by wallet: before a large order is promised, or a wallet is drained. */
@Injectable()
export class PoolForecast {
  constructor(
    private readonly sql: Sql,
    private readonly pool: PoolWallets,
  ) {}

  async read(): Promise<ForecastRow[]> {
    const wallets = (await this.pool.list()).filter(({ role }) => role === 'delegate');
    const loans = Map.groupBy(
      await this.sql.rows<{ wallet_id: string; stake_sun: bigint; due_in_ms: number }>(LOANS),
      (row) => row.wallet_id,
    );
    return wallets.flatMap((wallet) => {
      const own = (loans.get(wallet.id) ?? []).map((row) => ({ stakeSun: row.stake_sun, dueInMs: row.due_in_ms }));
      return HORIZONS_MS.map((afterMs) => forecastRow(wallet, own, afterMs));
    });
  }
}

function forecastRow(wallet: WalletRow, loans: readonly Loan[], afterMs: number): ForecastRow {
  const lentSun = loans.reduce((sum, { stakeSun }) => sum + stakeSun, 0n);
  const usedSun = wallet.stake_sun - lentSun - wallet.delegable_sun;
  const outlook = { freeSun: freeSun(wallet), usedSun: usedSun > 0n ? usedSun : 0n, loans };
  const dueOrders = loans.filter(({ dueInMs }) => dueInMs <= afterMs).length;
  return { name: wallet.name, afterMs, dueOrders, ...forecastWallet(outlook, afterMs) };
}
