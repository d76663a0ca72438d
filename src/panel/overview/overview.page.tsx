import { transactionsLiteral } from '../../billing/energy-amount';
import { EnergySection } from '../energy/energy-section';
import { Checklist } from '../first-run/checklist';
import { groupDigits, Live, shortTrx, Tile, useMessages } from '../layout/components';
import type { AttentionItem } from '../../notices/attention/attention-items';
import { Attention } from './attention';
import { BarChart } from './bar-chart';
import type { Overview } from './overview.service';

interface Props {
  readonly overview: Overview;
  readonly items: readonly AttentionItem[];
}

export function OverviewPage({ overview, items }: Props) {
  const messages = useMessages('overview');
  const { lastHour } = overview;
  return (
    <>
      <h1>{messages.title}</h1>
      <Live id="overview" seconds={10}>
        <Checklist steps={overview.firstSteps} />
        <Attention items={items} />
        <h2>{useMessages('energy').title}</h2>
        <EnergySection energy={overview.energy} now={new Date()} />
        <h2>{messages.lastHour}</h2>
        <LastHourTiles overview={overview} />
        <p class="caption">{messages.perMinute}</p>
        <BarChart values={overview.minutes} label={messages.chart(lastHour.orders)} />
        <h2>{messages.now}</h2>
        <NowTiles overview={overview} />
      </Live>
    </>
  );
}

function LastHourTiles({ overview }: Omit<Props, 'items'>) {
  const messages = useMessages('overview');
  const { lastHour } = overview;
  const answered = lastHour.succeeded + lastHour.failed;
  const { medianSeconds: median, slowSeconds: slow } = lastHour;
  return (
    <div class="tiles">
      <Tile
        name={messages.perMinute}
        value={(lastHour.orders / 60).toFixed(1)}
        note={messages.perMinuteNote(lastHour.orders)}
      />
      <Tile
        name={messages.success}
        value={answered === 0 ? '–' : `${((100 * lastHour.succeeded) / answered).toFixed(1)} %`}
        note={answered === 0 ? messages.noOrders : messages.successNote(lastHour.succeeded, lastHour.failed)}
      />
      <Tile
        name={messages.inclusion}
        value={median === null ? '–' : messages.seconds(median.toFixed(1))}
        note={slow === null ? messages.noneSettled : messages.inclusionNote(slow.toFixed(1))}
      />
      <Tile name={messages.lent} value={groupDigits(lastHour.lentEnergy)} note={messages.lentNote} />
    </div>
  );
}

function NowTiles({ overview: { lent, held } }: Omit<Props, 'items'>) {
  const messages = useMessages('overview');
  return (
    <div class="tiles">
      <Tile
        name={messages.out}
        value={groupDigits(lent.energy)}
        note={messages.outNote(lent.orders, shortTrx(lent.stakeSun))}
      />
      <Tile
        name={messages.held}
        value={shortTrx(held.amountSun)}
        note={messages.heldNote(held.holds, transactionsLiteral(held.quotaEnergy))}
      />
    </div>
  );
}
