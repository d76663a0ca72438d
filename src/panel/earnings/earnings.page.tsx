import { SUN_PER_TRX } from '../../common/money/sun';
import type { PriceChange } from '../../reporting/earnings/price-change.repository';
import type { PoolEarningsView, StakeEarnings, WalletStakeEarnings } from '../../stake-care/pool-earnings';
import { type AskedRange, rangeQuery } from '../dates/date-range';
import { RangeForm } from '../dates/date-range.form';
import {
  Badge,
  type Column,
  DataTable,
  GetButton,
  groupDigits,
  percentOf,
  shortTrx,
  Tile,
  Trx,
  useMessages,
} from '../layout/components';
import { walletPath } from '../wallets/wallet-path';
import { DemandMap } from './demand-map';
import type { WeekOfDemand } from './hours-of-week';
import { yearlyPercent } from './percents';
import { PriceChangeTable } from './price-change-table';

export const EARNINGS_PATH = '/panel/operator/earnings';

export interface Earnings {
  readonly pool: PoolEarningsView;
  readonly week: WeekOfDemand;
  /** Of the reader: whose hours they are. */
  readonly timeZone: string;
  /** Null: customers have no prices of their own. */
  readonly prices: readonly PriceChange[] | null;
}

interface Props {
  /** Of UTC days. */
  readonly asked: AskedRange;
  /** Null: no range that could be shown. */
  readonly earnings: Earnings | null;
}

export function EarningsPage({ asked, earnings }: Props) {
  const messages = useMessages('earnings');
  const query = rangeQuery(asked);
  return (
    <>
      <div class="head">
        <h1>{messages.title}</h1>
        {earnings && (
          <p class="buttons">
            <a href={`${EARNINGS_PATH}/wallets.csv?${query}`} download>
              {messages.download}
            </a>
            <a href={`${EARNINGS_PATH}/demand.csv?${query}`} download>
              {messages.downloadDemand}
            </a>
          </p>
        )}
      </div>
      <RangeForm asked={asked} action={EARNINGS_PATH} />
      {earnings && <Content {...earnings} />}
    </>
  );
}

function Content({ pool, week, timeZone, prices }: Earnings) {
  const messages = useMessages('earnings');
  return (
    <>
      {pool.wallets.length === 0 ? (
        <div class="empty">
          <p>{messages.noWallet}</p>
          <GetButton action="/panel/operator/wallets/new" text={useMessages('wallet').newWallet} />
        </div>
      ) : (
        <Stake pool={pool} />
      )}
      <h2 id="demand">{messages.demand}</h2>
      <DemandMap week={week} timeZone={timeZone} />
      {prices && <PriceChangeTable changes={prices} />}
    </>
  );
}

function Stake({ pool }: { readonly pool: PoolEarningsView }) {
  const messages = useMessages('earnings');
  const { all, wallets, votesBy } = pool;
  return (
    <>
      <div class="tiles dense">
        <Tile
          name={messages.yield}
          value={yearlyPercent(all.yield)}
          note={messages.yieldNote(yearlyPercent(all.ordersYield), yearlyPercent(all.rewardsYield))}
        />
        <Tile
          name={messages.earned}
          value={roundTrx(all.broughtSun + all.rewardSun)}
          note={messages.earnedNote(roundTrx(all.broughtSun), roundTrx(all.rewardSun))}
        />
        <Tile name={messages.staked} value={wholeTrx(all.stakedSun)} note={messages.stakedNote(wallets.length)} />
        <Tile name={messages.sold} value={percentOf(all.lentSun, all.stakedSunDays) ?? '–'} note={messages.soldNote} />
        <Tile
          name={messages.idle}
          value={wholeTrx(all.idleSun)}
          note={all.idleVotesSun === null ? messages.noVotes : messages.idleNote(wholeTrx(all.idleVotesSun))}
        />
      </div>
      <p>{messages.text}</p>
      <h2>{messages.byWallet}</h2>
      <DataTable<Row>
        name={messages.byWallet}
        rows={[...wallets, ...(wallets.length > 1 ? [all] : [])]}
        empty={null}
        columns={useColumns()}
      />
      <p>
        <small>
          {messages.soldText} {votesBy && messages.votesBy[votesBy]}
        </small>
      </p>
    </>
  );
}

/** The last one is of all wallets. */
type Row = StakeEarnings | WalletStakeEarnings;

function useColumns(): Column<Row>[] {
  const messages = useMessages('earnings');
  const states = useMessages('operator').states;
  const percent = (name: string, of: (row: Row) => bigint | null): Column<Row> => ({
    name,
    numeric: true,
    cell: (row) => yearlyPercent(of(row)),
  });
  return [
    {
      name: messages.wallet,
      heading: true,
      cell: (row) => {
        if (!('id' in row)) return <strong>{messages.all}</strong>;
        if (row.state === null)
          return (
            <>
              {row.name} <Badge tone="quiet">{messages.removed}</Badge>
            </>
          );
        return (
          <>
            <a href={walletPath(row)}>{row.name}</a>{' '}
            {row.state !== 'active' && <Badge tone="quiet">{states[row.state]}</Badge>}
          </>
        );
      },
    },
    { name: messages.stakedColumn, numeric: true, cell: ({ stakedSun }) => wholeTrx(stakedSun) },
    { name: messages.orders, numeric: true, cell: ({ broughtSun }) => <Trx sun={broughtSun} /> },
    { name: messages.rewards, numeric: true, cell: ({ rewardSun }) => <Trx sun={rewardSun} /> },
    percent(messages.ordersYield, ({ ordersYield }) => ordersYield),
    percent(messages.rewardsYield, ({ rewardsYield }) => rewardsYield),
    percent(messages.together, (row) => row.yield),
    {
      name: messages.sold,
      numeric: true,
      cell: ({ lentSun, stakedSunDays }) => percentOf(lentSun, stakedSunDays) ?? '–',
    },
    {
      name: messages.idleVotes,
      numeric: true,
      cell: ({ idleVotesSun }) => (idleVotesSun === null ? '–' : wholeTrx(idleVotesSun)),
    },
  ];
}

/** At a glance: with two places. */
function roundTrx(sun: bigint): string {
  return shortTrx((sun / 10_000n) * 10_000n);
}

/** To the nearest TRX: an average, or what is extrapolated. Its sun mean nothing. */
function wholeTrx(sun: bigint): string {
  return groupDigits((sun + SUN_PER_TRX / 2n) / SUN_PER_TRX);
}
