import type { OrderView } from '../../delegation/lookup/order-lookup';
import type { HistoryEntry } from '../../delegation/order-histories';
import {
  type Fact,
  Facts,
  groupDigits,
  Instant,
  Live,
  LongId,
  type PageOf,
  Trx,
  useMessages,
} from '../layout/components';
import type { Messages } from '../messages/catalogues';
import { UserLink } from '../users/user-link';
import { walletPath } from '../wallets/wallet-path';
import type { CustomerAnswer } from './customer-answer';
import { CustomerAnswerBox } from './customer-answer-box';
import { OrderHistory } from './order-history';
import { ordersTo } from './order-list.page';
import { OrderSummary, payerOf } from './order-summary';
import { isOpen, mayStillLand } from './order-progress';
import { isOver, OrderSteps } from './order-steps';
import { StateBadge, TransactionLink } from './order-values';
import { SharedReceipt } from './shared-receipt';

interface Props {
  readonly order: OrderView;
  readonly history: PageOf<HistoryEntry>;
  readonly explorer: string | null;
  /** Where its receipt is; null while there is none, or for who is not its customer. */
  readonly receiptPath: string | null;
  /** The address at which the receipt is shared. */
  readonly sharedAt?: string | null;
  readonly operating: boolean;
  /** For the operator whom the customer has asked. */
  readonly answer?: CustomerAnswer;
}

export function OrderPage(props: Props) {
  const { order, explorer, receiptPath, sharedAt = null, operating, answer } = props;
  const messages = useMessages('order');
  const link = (txid: string | null, expected: boolean) => (
    <TransactionLink txid={txid} expected={expected} explorer={explorer} />
  );
  return (
    <>
      <h1>{messages.orderOf(<LongId value={order.id} whole />)}</h1>
      <Live id="order" seconds={isOver(order) ? null : isOpen(order) ? 2 : 15}>
        <OrderSteps order={order} />
        <OrderSummary {...props} />
        {answer && <CustomerAnswerBox answer={answer} />}
        <Facts facts={[...commonFacts(messages, props), ...(operating ? operatingFacts(messages, order) : [])]} />
        <h2>{messages.chain}</h2>
        <Facts
          facts={[
            [messages.delegationTx, link(order.txid, isOpen(order))],
            [messages.activationTx, link(order.activation_txid, false)],
            [messages.reclaimTx, link(order.reclaim_txid, order.state !== 'failed' && !mayStillLand(order))],
            receiptPath !== null && [messages.receipt, <Receipt key="receipt" path={receiptPath} />],
            receiptPath !== null && [
              messages.sharedReceipt,
              <SharedReceipt key="shared" path={receiptPath} url={sharedAt} />,
            ],
          ]}
        />
        <OrderHistory {...props} />
      </Live>
    </>
  );
}

function Receipt({ path }: { path: string }) {
  const messages = useMessages('order');
  return (
    <>
      <a href={path} download>
        {messages.receiptDownload}
      </a>
      <small class="beneath">{messages.receiptHint}</small>
    </>
  );
}

function commonFacts(messages: Messages['order'], { order, operating }: Props): (Fact | false)[] {
  const list = operating ? '/panel/operator/orders' : '/panel/orders';
  return [
    [messages.state, <StateBadge key="state" order={order} />],
    [messages.receiver, <LongId key="receiver" value={order.receiver} href={ordersTo(list, order.receiver)} whole />],
    [messages.transactions, order.transactions],
    [messages.energy, groupDigits(order.energy)],
    [messages.price, <Trx key="price" sun={order.cost_sun} />],
    [messages.paidBy, payerOf(order, messages)],
    [messages.rental, order.rental_minutes],
    [messages.ordered, <Instant key="ordered" at={order.created_at} />],
    [messages.delegated, <Instant key="delegated" at={order.delegated_at} />],
    [messages.due, <Instant key="due" at={order.reclaim_due_at} />],
    [messages.reclaimed, <Instant key="reclaimed" at={order.reclaimed_at} />],
    order.idempotency_key !== null && [messages.key, order.idempotency_key],
  ];
}

function operatingFacts(messages: Messages['order'], order: OrderView): (Fact | false)[] {
  return [
    [messages.user, <UserLink key="user" user={order} />],
    [
      messages.wallet,
      <a key="wallet" href={walletPath({ id: order.wallet_id })}>
        {order.wallet}
      </a>,
    ],
    [messages.stake, <Trx key="stake" sun={order.stake_sun} />],
    order.shortage_sun > 0n && [messages.shortage, <Trx key="shortage" sun={order.shortage_sun} />],
    order.last_error !== null && [messages.lastError, order.last_error],
  ];
}
