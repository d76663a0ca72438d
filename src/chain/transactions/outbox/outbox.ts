import { Injectable, Logger } from '@nestjs/common';
import { Sql, type Queryable, type SqlTransaction } from '../../../database/sql';
import { combineOutcomes, type BroadcastOutcome, type Refusal } from '../../tron/node/broadcast-outcome';
import { NodeClient, type Delivery, type Sending } from '../../tron/node/node-client';
import type { SignedTransaction } from '../../tron/node/signed-transaction';
import type { ContractValues } from '../kinds/contract';
import type { TransactionKind } from '../kinds/transaction-kind';
import { TransactionKinds } from '../kinds/transaction-kinds';
import { ChainTransactionRepository } from './chain-transaction.repository';
import { type SignedRow, signedOfRow } from './outbox-row';

export interface NewTransaction {
  readonly kind: TransactionKind;
  readonly subjectId: string;
  /** Null: no wallet of the pool has signed it. */
  readonly walletId: string | null;
  /** The contract's fields that were given. */
  readonly values: ContractValues;
  readonly signed: SignedTransaction;
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
  private readonly logger = new Logger(Outbox.name);

  constructor(
    private readonly sql: Sql,
    private readonly transactions: ChainTransactionRepository,
    private readonly kinds: TransactionKinds,
    private readonly nodes: NodeClient,
  ) {}

  /** Nothing may be sent before the database transaction commits. Throws on a txid that exists already. @throws UnknownKindError */
  async save(tx: SqlTransaction, transaction: NewTransaction): Promise<void> {
    if ((await this.saveWritten(tx, [transaction])) !== 1) throw new Error('what these bytes belong to has no row');
  }

  /** Saves those whose order has a row by then, and all that belong to no order; gives their number. @throws UnknownKindError */
  saveWritten(tx: SqlTransaction, transactions: readonly NewTransaction[]): Promise<number> {
    // Nothing would follow from the outcome of another kind.
    for (const { kind } of transactions) this.kinds.of(kind.name);
    const subjects = transactions.map(({ subjectId }) => subjectId);
    return this.transactions.insert(tx, transactions.map(outboxRow), subjects);
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
    const rows = await this.transactions.claimResends(headTimeMs, limit);
    return rows.flatMap((row) => this.readable(row));
  }

  private readable(row: SignedRow): SignedTransaction[] {
    try {
      return [signedOfRow(row, this.kinds.of(row.purpose).contract)];
    } catch (error) {
      // It keeps no other from being sent.
      this.logger.error({ err: error, txid: row.tx_id }, 'A transaction cannot be sent again');
      return [];
    }
  }
}

function outboxRow({ kind, subjectId, walletId, values, signed }: NewTransaction) {
  const all: ContractValues = { ...values, ...kind.fixed };
  return {
    tx_id: signed.txId,
    purpose: kind.name,
    subject_kind: kind.subject,
    subject_id: subjectId,
    wallet_id: walletId,
    receiver: kind.receiver === undefined ? null : all[kind.receiver],
    amount_sun: kind.amount === undefined ? null : (all[kind.amount] as bigint).toString(),
    raw_data_hex: signed.rawDataHex,
    signature: signed.signature,
    expiration_ms: signed.expirationMs,
    ref_block_number: signed.refBlock.number,
    resend: kind.resent === 'always' ? true : null,
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
