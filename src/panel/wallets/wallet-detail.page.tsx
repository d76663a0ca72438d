import { ordersPaid } from '../../chain/pool/wallets/fees';
import { type ListedWalletRow, unfreezingOf } from '../../chain/pool/wallets/wallet-row';
import { unfreezeSlotsLeft } from '../../chain/tron/node/unfreezing';
import { keyKindOf } from '../../chain/transactions/signing/key-source';
import { EnergySection } from '../energy/energy-section';
import type { Form } from '../http/form';
import { useMessages } from '../layout/current-visit';
import type { FormProblem } from '../layout/form-problem';
import { LongId } from '../layout/long-id';
import { PostForm } from '../layout/post-form';
import { Badge, Facts, groupDigits, Instant, Trx } from '../layout/values';
import { stakePath } from '../stake/stake-path';
import { WalletActions, WALLET_TONES } from './wallet-actions';
import type { WalletDetailsView } from './wallet-details';
import { WalletKeyFields } from './wallet-key-fields';
import { walletPath } from './wallet-path';
import { DoctorSays, WhyNoOrders } from './why-no-orders';

interface Props {
  readonly wallet: ListedWalletRow;
  readonly details: WalletDetailsView;
  /** The doctor was asked for: it says so when there is nothing. */
  readonly asked: boolean;
  /** A change that was refused. */
  readonly form?: Form;
  readonly problem?: FormProblem;
}

export function WalletDetailPage(props: Props) {
  const { wallet, details, asked, form, problem } = props;
  const messages = useMessages('wallet');
  const names = useMessages('operator');
  const stake = useMessages('stake');
  const path = walletPath(wallet);
  return (
    <>
      <div class="head">
        <h1>
          {wallet.name} <Badge tone={WALLET_TONES[wallet.state]}>{names.states[wallet.state]}</Badge>
        </h1>
        <div class="buttons compact">
          <WalletActions wallet={wallet} fromItsPage />
        </div>
      </div>
      <WhyNoOrders wallet={wallet} details={details} />
      {details.diagnosis && (asked || details.diagnosis.length > 0) && <DoctorSays diagnosis={details.diagnosis} />}
      {wallet.role === 'delegate' && <EnergySection energy={details.energy} now={new Date()} />}
      <h2>{messages.reading}</h2>
      <WalletFacts wallet={wallet} chainTimeMs={details.chainTimeMs} />
      <p class="buttons">
        {wallet.role === 'delegate' && <a href={stakePath(wallet)}>{stake.link}</a>}
        <a href={`${path}?check=yes`}>{messages.check}</a>
        <a href={`/panel/operator/audit-log?subject=${encodeURIComponent(`wallet ${wallet.name}`)}`}>
          {names.auditLog}
        </a>
        <a href={`${path}/remove`}>{messages.remove}</a>
      </p>
      <h2>{messages.change}</h2>
      <PostForm action={path} class="narrow" label={messages.change} form={form} problem={problem}>
        <WalletKeyFields mayStay />
        <button type="submit">{messages.save}</button>
      </PostForm>
    </>
  );
}

interface FactsProps {
  readonly wallet: ListedWalletRow;
  readonly chainTimeMs: number;
}

/** Stake on its way back to the balance. */
function UnfreezingFact({ wallet, chainTimeMs }: FactsProps) {
  const messages = useMessages('wallet');
  const unfreezing = unfreezingOf(wallet);
  return (
    <>
      {unfreezing.map(({ resource, sun, availableMs }, at) => (
        <div key={at}>
          {messages.unfreezingEntry(
            <Trx sun={sun} />,
            messages.resources[resource] ?? resource,
            <Instant at={new Date(availableMs)} />,
          )}
        </div>
      ))}
      <small class="beneath">{messages.unfreezeSlots(unfreezeSlotsLeft(unfreezing, chainTimeMs))}</small>
    </>
  );
}

function WalletFacts({ wallet, chainTimeMs }: FactsProps) {
  const names = useMessages('operator');
  const messages = useMessages('wallet');
  return (
    <Facts
      facts={[
        [names.role, names.roles[wallet.role]],
        [names.address, <LongId key="address" value={wallet.address} whole />],
        [messages.permission, wallet.permission_id],
        [messages.keyLies, messages.keyKinds[keyKindOf(wallet.key_source)]],
        [names.stake, <Trx key="stake" sun={wallet.stake_sun} />],
        ...(wallet.unfreezing.length > 0
          ? [[messages.unfreezing, <UnfreezingFact key="unfreezing" {...{ wallet, chainTimeMs }} />] as const]
          : []),
        [names.delegable, <Trx key="delegable" sun={wallet.delegable_sun} />],
        [names.reserved, <Trx key="reserved" sun={wallet.reserved_sun} />],
        [names.liquid, <Trx key="liquid" sun={wallet.balance_sun} />],
        [names.bandwidth, groupDigits(wallet.bandwidth)],
        [messages.paysFor, groupDigits(ordersPaid(wallet))],
        [names.due, groupDigits(wallet.transactions_due)],
        [
          names.asOf,
          wallet.observed_at === null ? (
            names.notRead
          ) : (
            <>
              {wallet.observed_block.toString()}, <Instant at={wallet.observed_at} />
            </>
          ),
        ],
      ]}
    />
  );
}
