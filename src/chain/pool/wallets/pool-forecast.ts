import { Injectable } from '@nestjs/common';
import { type Forecast, forecastWallet, type Loan, type WalletOutlook } from './forecast';
import { PoolWalletRepository } from './pool-wallet.repository';
import { freeSun, type ListedWalletRow, unfreezingEnergySun } from './wallet-row';

export interface ForecastRow extends Forecast {
  readonly name: string;
  readonly afterMs: number;
  readonly dueOrders: number;
}

export interface CurvePoint extends Forecast {
  readonly afterMs: number;
  /** Out now, at all points the same. */
  readonly lentSun: bigint;
}

const MINUTE_MS = 60_000;
export const HORIZONS_MS = [0, 10, 30, 60, 3 * 60, 6 * 60, 12 * 60, 24 * 60].map((minutes) => minutes * MINUTE_MS);

const HOURS_MS = Array.from({ length: 25 }, (_, hour) => hour * 60 * MINUTE_MS);

/** Which stake comes back when, by wallet: for operators who plan a large order or drain a wallet. */
@Injectable()
export class PoolForecast {
  constructor(private readonly wallets: PoolWalletRepository) {}

  async read(): Promise<ForecastRow[]> {
    const wallets = (await this.wallets.list()).filter(({ role }) => role === 'delegate');
    const loans = Map.groupBy(await this.wallets.loans(), (row) => row.wallet_id);
    return wallets.flatMap((wallet) => {
      const own = (loans.get(wallet.id) ?? []).map(loanOf);
      return HORIZONS_MS.map((afterMs) => forecastRow(wallet, own, afterMs));
    });
  }

  /** The coming day of each wallet, hour by hour; to a quarter of an hour. */
  async curves(): Promise<Map<string, CurvePoint[]>> {
    const wallets = (await this.wallets.list()).filter(({ role }) => role === 'delegate');
    const loans = Map.groupBy(await this.wallets.loansByQuarter(), (row) => row.wallet_id);
    return new Map(wallets.map((wallet) => [wallet.id, curveOf(wallet, (loans.get(wallet.id) ?? []).map(loanOf))]));
  }
}

function loanOf(row: { readonly stake_sun: bigint; readonly due_in_ms: number }): Loan {
  return { stakeSun: row.stake_sun, dueInMs: row.due_in_ms };
}

function curveOf(wallet: ListedWalletRow, loans: readonly Loan[]): CurvePoint[] {
  const outlook = outlookOf(wallet, loans);
  const lentSun = sumOf(loans);
  return HOURS_MS.map((afterMs) => ({ afterMs, lentSun, ...forecastWallet(outlook, afterMs) }));
}

function sumOf(loans: readonly Loan[]): bigint {
  return loans.reduce((sum, { stakeSun }) => sum + stakeSun, 0n);
}

/** Stake that is being unfrozen is in no sum here: it is not staked any more, and does not come back to lend. */
function outlookOf(wallet: ListedWalletRow, loans: readonly Loan[]): WalletOutlook {
  const { stake_sun: stakeSun, delegable_sun: delegableSun, used_energy_sun: usedEnergySun } = wallet;
  const usedSun = positive(stakeSun - sumOf(loans) - delegableSun);
  // Only unfreezing leaves less stake than is used.
  const isReduced = delegableSun === 0n && unfreezingEnergySun(wallet) > 0n;
  const overusedSun = isReduced ? positive(usedEnergySun - usedSun) : 0n;
  return { freeSun: freeSun(wallet), usedSun, overusedSun, loans };
}

function positive(sun: bigint): bigint {
  return sun > 0n ? sun : 0n;
}

function forecastRow(wallet: ListedWalletRow, loans: readonly Loan[], afterMs: number): ForecastRow {
  const outlook = outlookOf(wallet, loans);
  const dueOrders = loans.filter(({ dueInMs }) => dueInMs <= afterMs).length;
  return { name: wallet.name, afterMs, dueOrders, ...forecastWallet(outlook, afterMs) };
}
