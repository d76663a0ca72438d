import { Injectable } from '@nestjs/common';
import { type Forecast, forecastWallet, type Loan } from './forecast';
import { PoolWalletRepository } from './pool-wallet.repository';
import { freeSun, type WalletRow } from './wallet-row';

export interface ForecastRow extends Forecast {
  readonly name: string;
  readonly afterMs: number;
  readonly dueOrders: number;
}

const MINUTE_MS = 60_000;
export const HORIZONS_MS = [0, 10, 30, 60, 3 * 60, 6 * 60, 12 * 60, 24 * 60].map((minutes) => minutes * MINUTE_MS);

/** Which stake comes back when, by wallet: for operators who plan a large order or drain a wallet. */
@Injectable()
export class PoolForecast {
  constructor(private readonly wallets: PoolWalletRepository) {}

  async read(): Promise<ForecastRow[]> {
    const wallets = (await this.wallets.list()).filter(({ role }) => role === 'delegate');
    const loans = Map.groupBy(await this.wallets.loans(), (row) => row.wallet_id);
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
