import { Injectable } from '@nestjs/common';
import { Sql, type Queryable, type SqlTransaction } from '../../../database/sql';
import { combineOutcomes, type BroadcastOutcome, type Refusal } from '../../tron/node/broadcast-outcome';
import { NodeClient, type Delivery, type Sending } from '../../tron/node/node-client';
import type { SignedTransaction } from '../../tron/node/signed-transaction';
import type { TransactionPurpose } from './chain-transaction.entity';
import { ChainTransactionRepository } from './chain-transaction.repository';
import { signedOfRow } from './outbox-row';

export interface NewTransaction {
  readonly signed: SignedTransaction;
  readonly purpose: TransactionPurpose;
  readonly delegationId: string;
  readonly walletId: string;
  readonly receiver: string;
  readonly amountSun: bigint;
  /** May be sent again whatever the caller is answered. Never set for a delegation: its order's answer decides. */
  readonly resend: boolean;
}

/** The answer of a node that takes the bytes. In an order's history it stands for a node of which nothing is said. */
export const PLAIN_ANSWER = { kind: 'accepted', code: 'SUCCESS' } as const;

export interface Sent {
  readonly signed: SignedTransaction;
  readonly outcome: BroadcastOutcome;
  readonly deliveries: readonly Delivery[];
  /** What no single one of several nodes can have brought about: where it is null, a refusal says nothing of the wallet. */
  readonly confirmed: Refusal | null;
}

/** Signed bytes are saved first and sent afterwards; nothing reaches a node in any other way. */
@Injectable()
export class Outbox {
  constructor(
    private readonly sql: Sql,
    private readonly transactions: ChainTransactionRepository,
    private readonly nodes: NodeClient,
  ) {}

  /** Nothing may be sent before the database transaction commits. Throws on a txid that exists already. */
  async save(tx: SqlTransaction, transaction: NewTransaction): Promise<void> {
    if ((await this.saveWritten(tx, [transaction])) !== 1) throw new Error('the order of these bytes has no row');
  }

  /** Saves those whose order has a row by then, and gives their number. */
  saveWritten(tx: SqlTransaction, transactions: readonly NewTransaction[]): Promise<number> {
    const orders = transactions.map(({ delegationId }) => delegationId);
    return this.transactions.insert(tx, transactions.map(outboxRow), orders);
  }

  /** Sends committed bytes. Never throws: a missing answer is an outcome too. */
  async broadcast(signed: SignedTransaction, sending?: Sending): Promise<Sent> {
    return this.sent(signed, await this.nodes.broadcast(signed, sending));
  }

  /** As `broadcast`, of bytes that were sent before: what was said then counts, too. */
  async broadcastAgain(before: Sent, sending?: Sending): Promise<Sent> {
    const deliveries = await this.nodes.broadcast(before.signed, sending);
    return this.sent(before.signed, [...before.deliveries, ...deliveries]);
  }

  /** Writes each node's answer into the order's history. */
  async record(db: Queryable, sent: readonly Sent[]): Promise<void> {
    const txIds = sent.map(({ signed }) => signed.txId);
    await this.transactions.markAnswered(db, sent.map(answerRow), txIds);
  }

  /** Broadcasts and records. Throws when the database is away; the bytes were sent nevertheless. */
  async send(signed: SignedTransaction, sending?: Sending): Promise<Sent> {
    const sent = await this.broadcast(signed, sending);
    await this.record(this.sql, [sent]);
    return sent;
  }

  private sent(signed: SignedTransaction, deliveries: readonly Delivery[]): Sent {
    const outcome = combineOutcomes(deliveries.map((delivery) => delivery.outcome));
    return { signed, outcome, deliveries, confirmed: this.nodes.confirmed(deliveries) };
  }

  /** Bytes that are due to be sent again, claimed so that no other instance sends them at the same time. */
  async claimResends(headTimeMs: number, limit: number): Promise<SignedTransaction[]> {
    return (await this.transactions.claimResends(headTimeMs, limit)).map(signedOfRow);
  }
}

function outboxRow({ signed, ...transaction }: NewTransaction) {
  return {
    tx_id: signed.txId,
    purpose: transaction.purpose,
    delegation_id: transaction.delegationId,
    wallet_id: transaction.walletId,
    receiver: transaction.receiver,
    amount_sun: transaction.amountSun.toString(),
    raw_data_hex: signed.rawDataHex,
    signature: signed.signature,
    expiration_ms: signed.expirationMs,
    ref_block_number: signed.refBlock.number,
    resend: transaction.resend,
  };
}

function isPlain(answer: BroadcastOutcome): boolean {
  return answer.kind === PLAIN_ANSWER.kind && answer.code === PLAIN_ANSWER.code;
}

function answerRow({ signed, outcome, deliveries }: Sent) {
  const nodes = deliveries.map(({ node, outcome: answer }) => ({ node, ...(isPlain(answer) ? {} : answer) }));
  return {
    tx_id: signed.txId,
    accepted: outcome.kind === 'accepted',
    // What nearly every node says goes without saying: the history's reader puts it back.
    detail: { ...(outcome.kind !== 'accepted' && { outcome: outcome.kind }), nodes },
  };
}
