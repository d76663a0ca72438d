import type { Diagnosis } from '../../chain/pool/doctor/diagnosis';
import type { ListedWalletRow } from '../../chain/pool/wallets/wallet-row';
import { DAY_MS } from '../../stake-care/care-periods';
import { OPERATION_KINDS } from '../../stake-care/stake-operation';
import {
  Badge,
  DataTable,
  type Fact,
  Facts,
  GetButton,
  groupDigits,
  Instant,
  Trx,
  useMessages,
} from '../layout/components';
import { DoctorSays } from '../wallets/why-no-orders';
import { walletPath } from '../wallets/wallet-path';
import { OperationTable } from './operation-table';
import type { StakeDetailsView } from './stake-details';
import { stakePath } from './stake-path';
import { VoteTable } from './vote-table';

interface Props {
  readonly wallet: ListedWalletRow;
  readonly details: StakeDetailsView;
  /** What the doctor finds of the care's key, where it was asked. */
  readonly diagnosis: readonly Diagnosis[] | null;
  /** The URL that a txid is appended to; null on a chain without an explorer. */
  readonly explorer: string | null;
}

export function StakePage({ wallet, details, diagnosis, explorer }: Props) {
  const messages = useMessages('stake');
  const { care, isRead } = details;
  return (
    <>
      <div class="head">
        <h1>
          {messages.title(wallet.name)}{' '}
          <Badge tone={care ? 'good' : 'quiet'}>{messages.careIs[care ? 'on' : 'off']}</Badge>
        </h1>
        <a href={walletPath(wallet)}>{messages.toWallet}</a>
      </div>
      {!isRead && (
        <p class="notice refused" role="alert">
          {messages.nodeAway(<Instant at={wallet.observed_at} none={messages.neverRead} />)}
        </p>
      )}
      {care && diagnosis && <DoctorSays diagnosis={diagnosis} />}
      <h2>{messages.present}</h2>
      <StakeFacts details={details} />
      <h2>{messages.votes}</h2>
      <VoteTable details={details} />
      <h2>{messages.unfreezing}</h2>
      <UnfreezingTable details={details} />
      <h2>{messages.care}</h2>
      <CareSection wallet={wallet} details={details} />
      {care && <Acts wallet={wallet} />}
      <h2>{messages.earned}</h2>
      <Earned details={details} />
      <h2>{messages.operations}</h2>
      <OperationTable operations={details.operations} explorer={explorer} />
      <p class="buttons">
        <a href={`/panel/operator/audit-log?subject=${encodeURIComponent(`wallet ${wallet.name}`)}`}>
          {useMessages('operator').auditLog}
        </a>
      </p>
    </>
  );
}

function StakeFacts({ details: { figures } }: { details: StakeDetailsView }) {
  const messages = useMessages('stake');
  const { lastClaimMs } = figures;
  return (
    <Facts
      facts={[
        [messages.staked.energy, <Trx key="energy" sun={figures.energySun} />],
        [messages.staked.bandwidth, <Known key="bandwidth" sun={figures.bandwidthSun} />],
        [messages.lent, <Known key="lent" sun={figures.lentSun} />],
        [messages.free, <Trx key="free" sun={figures.freeSun} />],
        [messages.liquid, <Trx key="liquid" sun={figures.liquidSun} />],
        [messages.power, countOf(figures.power)],
        [messages.idle, countOf(figures.idleVotes)],
        [messages.reward, <Known key="reward" sun={figures.rewardSun} />],
        [messages.lastClaim, <Instant key="last" at={dateOf(lastClaimMs)} />],
        [messages.claimDue, <Instant key="due" at={dateOf(lastClaimMs && lastClaimMs + DAY_MS)} />],
        [messages.yearly, percentOf(figures.yieldPercent)],
        [messages.yearlyOrders, percentOf(figures.ordersYieldPercent)],
      ]}
    />
  );
}

function UnfreezingTable({ details: { figures } }: { details: StakeDetailsView }) {
  const messages = useMessages('stake');
  const now = Date.now();
  return (
    <>
      <DataTable
        name={messages.unfreezing}
        rows={figures.unfreezing}
        columns={[
          { name: messages.amount, numeric: true, cell: ({ sun }) => <Trx sun={sun} /> },
          {
            name: messages.available,
            cell: ({ availableMs }) =>
              availableMs <= now ? messages.availableNow : <Instant at={new Date(availableMs)} />,
          },
        ]}
        empty={messages.nothingUnfreezing}
      />
      <p class="caption">{messages.slots(figures.slotsLeft)}</p>
    </>
  );
}

/** The votes of the care stand in the table of votes. */
function CareSection({ wallet, details: { care } }: { wallet: ListedWalletRow; details: StakeDetailsView }) {
  const messages = useMessages('stake');
  const path = `${stakePath(wallet)}/care`;
  if (!care) {
    return (
      <>
        <p>{messages.careOffText}</p>
        <GetButton action={path} text={messages.switchOn} />
        <p class="caption">{messages.command(wallet.name)}</p>
      </>
    );
  }
  const yesOrNo = (is: boolean) => (is ? messages.yes : messages.no);
  const facts: Fact[] = [
    [messages.claims, yesOrNo(care.claims)],
    [messages.restakes, yesOrNo(care.restakes)],
    [messages.keepLiquid, <Trx key="keep" sun={care.keep_liquid_sun} />],
    [messages.carePermission, care.permission_id],
    [messages.readAt, <Instant key="read" at={dateOf(care.read_ms && Number(care.read_ms))} />],
  ];
  if (care.key_fault !== null) facts.push([messages.keyFault, <span lang="en">{care.key_fault}</span>]);
  return (
    <>
      <Facts facts={facts} />
      <div class="buttons">
        <GetButton action={path} text={messages.setCare} />
        <GetButton action={`${path}/off`} text={messages.switchOff} class="secondary" />
        <a href={`${stakePath(wallet)}?check=yes`}>{useMessages('wallet').check}</a>
      </div>
      <p class="caption">{messages.command(wallet.name)}</p>
    </>
  );
}

function Acts({ wallet }: { wallet: ListedWalletRow }) {
  const messages = useMessages('stake');
  return (
    <>
      <h3>{messages.acts}</h3>
      <div class="buttons">
        {OPERATION_KINDS.map((kind) => (
          <GetButton
            key={kind}
            action={`${stakePath(wallet)}/${kind}`}
            text={messages.buttons[kind]}
            class="secondary"
          />
        ))}
      </div>
    </>
  );
}

function Earned({ details: { earned, claimedSun } }: { details: StakeDetailsView }) {
  const messages = useMessages('stake');
  return (
    <>
      <Facts facts={[[messages.earnedTotal, <Trx key="total" sun={claimedSun} />]]} />
      <DataTable
        name={messages.earned}
        rows={earned}
        columns={[
          { name: messages.day, heading: true, cell: ({ day }) => day },
          { name: messages.claimed, numeric: true, cell: (row) => <Trx sun={row.claimedSun} /> },
          { name: messages.brought, numeric: true, cell: (row) => <Trx sun={row.broughtSun} /> },
        ]}
        empty={messages.nothingEarned}
      />
    </>
  );
}

function Known({ sun }: { sun: bigint | null }) {
  return sun === null ? <>–</> : <Trx sun={sun} />;
}

function percentOf(percent: number | null): string {
  return percent === null ? '–' : `${percent.toFixed(2)} %`;
}

function countOf(count: bigint | null): string {
  return count === null ? '–' : groupDigits(count);
}

function dateOf(ms: number | bigint | null): Date | null {
  return ms === null ? null : new Date(Number(ms));
}
