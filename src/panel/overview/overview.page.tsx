import { transactionsLiteral } from '../../billing/energy-amount';
import type { SignedInVisit } from '../http/page-context';
import { DataTable } from '../layout/data-table';
import { groupDigits, Instant, shortTrx, Tile } from '../layout/values';
import { Attention, type Trouble } from './attention';
import { BarChart } from './bar-chart';
import type { Overview } from './overview.queries';
import { OVERVIEW_WORDS } from '../messages/overview.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly overview: Overview;
  readonly troubles: readonly Trouble[];
}

export function OverviewPage({ visit, overview, troubles }: Props) {
  const words = OVERVIEW_WORDS[visit.locale];
  const { lastHour } = overview;
  return (
    <>
      <h1>{words.title}</h1>
      <Attention visit={visit} troubles={troubles} />
      <h2>{words.lastHour}</h2>
      <LastHourTiles visit={visit} overview={overview} />
      <p class="caption">{words.perMinute}</p>
      <BarChart values={overview.minutes} label={words.chart(lastHour.orders)} />
      <h2>{words.now}</h2>
      <NowTiles visit={visit} overview={overview} />
      <h2>{words.due}</h2>
      <DataTable
        visit={visit}
        name={words.due}
        rows={overview.due}
        empty={<p>{words.noDue}</p>}
        columns={[
          {
            name: words.hour,
            heading: true,
            cell: ({ span, hour }) => (span === 'hour' ? <Instant at={hour} /> : words[span]),
          },
          { name: words.orders, numeric: true, cell: ({ orders }) => groupDigits(orders) },
          { name: words.energy, numeric: true, cell: ({ energy }) => groupDigits(energy) },
        ]}
      />
    </>
  );
}

function LastHourTiles({ visit, overview }: Omit<Props, 'troubles'>) {
  const words = OVERVIEW_WORDS[visit.locale];
  const { lastHour } = overview;
  const answered = lastHour.succeeded + lastHour.failed;
  const { median_s: median, slow_s: slow } = lastHour;
  return (
    <div class="tiles">
      <Tile
        name={words.perMinute}
        value={(lastHour.orders / 60).toFixed(1)}
        note={words.perMinuteNote(lastHour.orders)}
      />
      <Tile
        name={words.success}
        value={answered === 0 ? '–' : `${((100 * lastHour.succeeded) / answered).toFixed(1)} %`}
        note={answered === 0 ? words.noOrders : words.successNote(lastHour.succeeded, lastHour.failed)}
      />
      <Tile
        name={words.inclusion}
        value={median === null ? '–' : words.seconds(median.toFixed(1))}
        note={slow === null ? words.noneSettled : words.inclusionNote(slow.toFixed(1))}
      />
      <Tile name={words.lent} value={groupDigits(lastHour.lent_energy)} note={words.lentNote} />
    </div>
  );
}

function NowTiles({ visit, overview: { lent, held } }: Omit<Props, 'troubles'>) {
  const words = OVERVIEW_WORDS[visit.locale];
  return (
    <div class="tiles">
      <Tile
        name={words.out}
        value={groupDigits(lent.energy)}
        note={words.outNote(lent.orders, shortTrx(lent.stake_sun))}
      />
      <Tile
        name={words.held}
        value={shortTrx(held.amount_sun)}
        note={words.heldNote(held.holds, transactionsLiteral(held.quota_energy))}
      />
    </div>
  );
}
