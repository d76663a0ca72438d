import { ENERGY_PER_TRANSACTION } from '../../billing/energy-amount';
import type { EnergyOutlookView, EnergyPoint } from '../../reporting/outlooks/energy-outlook';
import { DataTable, groupDigits, Instant, Tile, useMessages } from '../layout/components';
import type { Messages } from '../messages/catalogues';
import { CurveChart } from './curve-chart';

interface Props {
  /** Null: the chain's rate is not known. */
  readonly energy: EnergyOutlookView | null;
  readonly now: Date;
}

const HOUR_MS = 3_600_000;

/** What can be sold now, what is out, what comes back when, and how long it lasts. */
export function EnergySection({ energy, now }: Props) {
  const compact = useCompactEnergy();
  const messages = useMessages('energy');
  if (energy === null) return <p class="notice attention">{messages.unknown}</p>;
  const lends = energy.points.some(({ most }) => most > 0n) || energy.available > 0n;
  return (
    <>
      <p class="headline">
        {energy.idle > 0n
          ? messages.availableAndIdle(compact(energy.available), groupDigits(energy.transactions), compact(energy.idle))
          : messages.available(compact(energy.available), groupDigits(energy.transactions))}
      </p>
      <div class="tiles">
        <Tile
          name={messages.availableNow}
          value={groupDigits(energy.available)}
          note={messages.transactions(groupDigits(energy.transactions))}
        />
        <Tile name={messages.lent} value={groupDigits(energy.lent)} note={messages.lentNote} />
        <Tile
          name={messages.nextHour}
          value={groupDigits(energy.points[1]?.returned ?? 0n)}
          note={messages.nextHourNote}
        />
        <Tile
          name={messages.lasts}
          value={lends ? lasts(energy, messages) : '–'}
          note={lends && messages.lastsNote(groupDigits(energy.lentLastHour))}
        />
      </div>
      {lends && energy.points.length > 0 && <Curve points={energy.points} now={now} />}
    </>
  );
}

function Curve({ points, now }: { points: readonly EnergyPoint[]; now: Date }) {
  const compact = useCompactEnergy();
  const messages = useMessages('energy');
  const last = points.at(-1)!;
  return (
    <>
      <h3>{messages.forecast}</h3>
      <p class="caption">{messages.forecastNote}</p>
      <CurveChart
        points={points.map(({ afterMs, least, most }) => ({
          x: afterMs / HOUR_MS,
          least: Number(least),
          most: Number(most),
        }))}
        label={messages.curve(compact(points[0]!.least), compact(last.least), compact(last.most))}
        hours={messages.inHours}
      />
      <details>
        <summary>{messages.asTable}</summary>
        <DataTable
          name={messages.forecast}
          rows={points}
          empty={null}
          columns={[
            {
              name: messages.at,
              heading: true,
              cell: ({ afterMs }) => <Instant at={new Date(now.getTime() + afterMs)} />,
            },
            { name: messages.least, numeric: true, cell: ({ least }) => groupDigits(least) },
            { name: messages.most, numeric: true, cell: ({ most }) => groupDigits(most) },
            {
              name: messages.leastTransactions,
              numeric: true,
              cell: ({ least }) => groupDigits(least / ENERGY_PER_TRANSACTION),
            },
            {
              name: messages.returned,
              numeric: true,
              cell: ({ afterMs, returned }) => groupDigits(returned - returnedBefore(points, afterMs)),
            },
          ]}
        />
      </details>
    </>
  );
}

/** Due back up to the point before. */
function returnedBefore(points: readonly EnergyPoint[], afterMs: number): bigint {
  return points.findLast((point) => point.afterMs < afterMs)?.returned ?? 0n;
}

function lasts({ emptyInMs, lentLastHour, available }: EnergyOutlookView, messages: Messages['energy']): string {
  if (available === 0n) return messages.empty;
  if (lentLastHour === 0n || emptyInMs === null) return messages.longer;
  const minutes = Math.max(1, Math.round(emptyInMs / 60_000));
  return messages.hoursAndMinutes(Math.floor(minutes / 60), minutes % 60);
}

/** `91.4 M`. */
function useCompactEnergy() {
  const { compact } = useMessages('language');
  return (energy: bigint) => compact(energy).replace(/(\d)([A-Z])$/, '$1\u00a0$2');
}
