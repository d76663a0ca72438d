import { Injectable } from '@nestjs/common';
import { IS_OPEN } from '../../chain/transactions/outbox/chain-transaction.entity';
import type { TransactionState } from '../../chain/transactions/outbox/chain-transaction.entity';
import { OUTBOX_COLUMNS, type OutboxRow } from '../../chain/transactions/outbox/outbox-row';
import { BatchLoader } from '../../database/batch-loader';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';

type LiveActivation = OutboxRow & { readonly key: string };

/** The activations of receivers that are under way or not final yet: there is at most one of each (a unique index). */
const LIVE_ACTIVATIONS = statement<[receivers: readonly string[]], LiveActivation>(
  'activation_live',
  `select t.receiver as key, ${OUTBOX_COLUMNS} from chain_transactions t
          where receiver = any($1::text[]) and purpose = 'activation' and ${IS_OPEN}`,
);

const ACTIVATION = statement<[txId: string], OutboxRow & { readonly withdrawn: boolean }>(
  'activation_by_txid',
  `select ${OUTBOX_COLUMNS}, t.state = 'saved' and not t.resend as withdrawn from chain_transactions t where tx_id = $1`,
);

const WITHDRAW_ACTIVATION = statement<[txId: string], { wallet_id: string }>(
  'activation_withdraw',
  `update chain_transactions set resend = false where tx_id = $1 and purpose = 'activation' and state = 'saved' returning wallet_id`,
);

interface DelegationRow {
  readonly tx_id: string;
  readonly state: TransactionState;
  readonly block_number: bigint | null;
  readonly block_id: string | null;
}

const DELEGATION = statement<[orderId: string], DelegationRow>(
  'delegation_txid',
  `select tx_id, state, block_number, block_id from chain_transactions where subject_id = $1 and purpose = 'delegation'`,
);

/**
 * Ours and solid: it could land only where the receiver exists or came to be, and an account never goes away again. `offset 0`: looking
 * for one alone, PostgreSQL would hope to meet it soon, and read all orders for a receiver without any.
 */
const PROVES_RECEIVER = statement<[receiver: string], { found: number }>(
  'proves_receiver',
  `select 1 as found from (select id from delegations where receiver = $1 offset 0) d
     join chain_transactions t on t.subject_id = d.id
    where t.purpose in ('activation', 'delegation') and t.state = 'final' limit 1`,
);

/** What an order asks of its rows in `chain_transactions`. */
@Injectable()
export class OrderTransactionRepository {
  private readonly liveActivations: BatchLoader<LiveActivation>;

  constructor(private readonly sql: Sql) {
    this.liveActivations = new BatchLoader(sql, LIVE_ACTIVATIONS);
  }

  /** One that is under way, or in a block that a fork could still take back. */
  findLiveActivation(receiver: string): Promise<OutboxRow | null> {
    return this.liveActivations.find(receiver);
  }

  findActivation(txId: string): Promise<(OutboxRow & { readonly withdrawn: boolean }) | null> {
    return this.sql.row(ACTIVATION, [txId]);
  }

  /**
   * Refused for good, as far as one node can tell: its order is a failure, so it is not sent again, and no caller waits for it. False when
   * a node has taken it meanwhile.
   */
  async withdrawActivation(txId: string): Promise<boolean> {
    return (await this.sql.row(WITHDRAW_ACTIVATION, [txId])) !== null;
  }

  findDelegation(orderId: string): Promise<DelegationRow | null> {
    return this.sql.row(DELEGATION, [orderId]);
  }

  async provesReceiver(receiver: string): Promise<boolean> {
    return (await this.sql.row(PROVES_RECEIVER, [receiver])) !== null;
  }
}
