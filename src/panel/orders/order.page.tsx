import type { ComponentChildren } from 'preact';
import type { DelegationView, HistoryEntry } from '../../delegation/lookup/order-lookup';
import type { SignedInVisit } from '../http/page-context';
import type { PageOf } from '../layout/pager';
import { Facts, groupDigits, Instant, Trx } from '../layout/values';
import { isOpen, mayStillLand } from './order-progress';
import { OrderHistory } from './order-history';
import { OrderOutcome, payerOf } from './order-outcome';
import { StateBadge, TransactionLink } from './order-values';
import { ORDER_WORDS } from '../messages/order.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly order: DelegationView;
  readonly history: PageOf<HistoryEntry>;
  readonly explorer: string | null;
  readonly operating: boolean;
}

type Fact = readonly [string, ComponentChildren];

export function OrderPage(props: Props) {
  const { visit, order, explorer, operating } = props;
  const words = ORDER_WORDS[visit.locale];
  const link = (txid: string | null, expected: boolean) => (
    <TransactionLink txid={txid} expected={expected} explorer={explorer} words={words} />
  );
  return (
    <>
      <h1>
        {words.order} <code>{order.id}</code>
      </h1>
      <OrderOutcome {...props} />
      <Facts facts={[...commonFacts(props), ...(operating ? operatingFacts(props) : [])]} />
      <h2>{words.chain}</h2>
      <Facts
        facts={[
          [words.delegationTx, link(order.txid, isOpen(order))],
          [words.activationTx, link(order.activation_txid, false)],
          [words.reclaimTx, link(order.reclaim_txid, order.state !== 'failed' && !mayStillLand(order))],
        ]}
      />
      <OrderHistory {...props} />
    </>
  );
}

function commonFacts({ visit, order }: Props): Fact[] {
  const words = ORDER_WORDS[visit.locale];
  return [
    [words.state, <StateBadge key="state" order={order} visit={visit} />],
    [words.receiver, <code key="receiver">{order.receiver}</code>],
    [words.transactions, order.transactions],
    [words.energy, groupDigits(order.energy)],
    [words.price, <Trx key="price" sun={order.cost_sun} />],
    [words.paidBy, payerOf(order, visit)],
    [words.rental, order.rental_minutes],
    [words.ordered, <Instant key="ordered" at={order.created_at} />],
    [words.delegated, <Instant key="delegated" at={order.delegated_at} />],
    [words.due, <Instant key="due" at={order.reclaim_due_at} />],
    [words.reclaimed, <Instant key="reclaimed" at={order.reclaimed_at} />],
    ...(order.idempotency_key === null ? [] : [[words.key, order.idempotency_key] as const]),
  ];
}

function operatingFacts({ visit, order }: Props): Fact[] {
  const words = ORDER_WORDS[visit.locale];
  return [
    [words.user, order.user],
    [words.wallet, order.wallet],
    [words.stake, <Trx key="stake" sun={order.stake_sun} />],
    ...(order.shortage_sun === 0n ? [] : [[words.shortage, <Trx key="shortage" sun={order.shortage_sun} />] as const]),
    ...(order.last_error === null ? [] : [[words.lastError, order.last_error] as const]),
  ];
}
