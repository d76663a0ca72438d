import { type CsvColumns, csvFile, csvText } from '../../common/csv';
import { formatTrx } from '../../common/money/sun';
import type { Days } from '../../reporting/refusals/refused-attempt.repository';
import type { WalletStakeEarnings } from '../../stake-care/pool-earnings';
import { addDays } from '../dates/date-range';
import { averageText, hourText, type HourOfWeek } from './hours-of-week';

const percent = (hundredths: bigint | null) =>
  hundredths === null ? '' : `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;

const WALLETS: CsvColumns<WalletStakeEarnings & { readonly days: Days }> = [
  ['wallet', ({ name }) => csvText(name)],
  ['address', ({ address }) => address],
  ['state', ({ state }) => state ?? 'removed'],
  ['from', ({ days }) => days.from],
  ['last', ({ days }) => addDays(days.to, -1)],
  ['staked_trx', ({ stakedSun }) => formatTrx(stakedSun)],
  ['orders', ({ orders }) => orders],
  ['orders_trx', ({ broughtSun }) => formatTrx(broughtSun)],
  ['rewards_trx', ({ rewardSun }) => formatTrx(rewardSun)],
  ['orders_yield_percent', ({ ordersYield }) => percent(ordersYield)],
  ['rewards_yield_percent', ({ rewardsYield }) => percent(rewardsYield)],
  ['yield_percent', (row) => percent(row.yield)],
  // What is sold again counts again, as on the page.
  [
    'sold_percent',
    ({ lentSun, stakedSunDays }) => percent(stakedSunDays > 0n ? (lentSun * 10_000n) / stakedSunDays : null),
  ],
  ['idle_trx', ({ idleSun }) => formatTrx(idleSun)],
  ['idle_votes_trx_a_year', ({ idleVotesSun }) => (idleVotesSun === null ? '' : formatTrx(idleVotesSun))],
];

export function walletsCsv(wallets: readonly WalletStakeEarnings[], days: Days): AsyncGenerator<string> {
  return csvOf(
    WALLETS,
    wallets.map((wallet) => ({ ...wallet, days })),
  );
}

const DEMAND: CsvColumns<HourOfWeek & { readonly timeZone: string }> = [
  ['weekday', ({ weekday }) => weekday + 1],
  ['hour', ({ hour }) => hourText(hour)],
  ['transactions_an_hour', ({ tenths }) => averageText(tenths).replaceAll('\u202f', '')],
  ['time_zone', ({ timeZone }) => timeZone],
];

/** Weekdays as ISO 8601 counts them: 1 is Monday. */
export function demandCsv(rows: readonly (readonly HourOfWeek[])[], timeZone: string): AsyncGenerator<string> {
  return csvOf(
    DEMAND,
    rows.flat().map((cell) => ({ ...cell, timeZone })),
  );
}

function csvOf<Row>(columns: CsvColumns<Row>, rows: readonly Row[]): AsyncGenerator<string> {
  return csvFile(columns, (last) => Promise.resolve(last === undefined ? rows : []));
}
