import { Injectable } from '@nestjs/common';
import { Sql, type Queryable, type SqlTransaction } from '../../database/sql';
import { combineOutcomes, type BroadcastOutcome } from '../node/broadcast-outcome';
import { NodeClient, type Delivery } from '../node/node-client';
import type { SignedTransaction } from '../signing/signed-transaction';
import type { TransactionPurpose } from './chain-transaction.entity';
import { signedOfRow, type OutboxRow } from './outbox-row';
import { CLAIM_RESENDS, INSERT, MARK_ANSWERED } from './outbox.statements';

export interface NewTransaction {
  readonly signed: SignedTransaction;
  readonly purpose: TransactionPurpose;
  readonly delegationId: string;
  readonly walletId: string;
  readonly receiver: string;
  readonly amountSun: bigint;
  /** May be sent again from the start: the service stands by it whatever the caller is told. Never for a delegation. */
  readonly resend: boolean;
}

export interface Sent {
  readonly signed: SignedTransaction;
  readonly outcome: BroadcastOutcome;
  readonly deliveries: readonly Delivery[];
}

/** Saved, then sent: the only way from signed bytes to a node. */
@Injectable()
export class Outbox {
  constructor(
    private readonly sql: Sql,
    private readonly nodes: NodeClient,
  ) {}

  /** Commits with the transaction it is given; nothing may be sent before. Throws on a txid that is already there. */
  async save(tx: SqlTransaction, transaction: NewTransaction): Promise<void> {
    if ((await this.saveWritten(tx, [transaction])) !== 1) throw new Error('bytes of no order');
  }

  /** The same for those of these whose order's row is there by then; gives their number. */
  saveWritten(tx: SqlTransaction, transactions: readonly NewTransaction[]): Promise<number> {
    const orders = transactions.map(({ delegationId }) => delegationId);
    return tx.execute(INSERT, [JSON.stringify(transactions.map(outboxRow)), orders]);
  }

  /** Sends committed bytes, to no node after `untilMs`. Never throws: what a node did not say is part of the outcome. */
  async broadcast(signed: SignedTransaction, untilMs?: number): Promise<Sent> {
    const deliveries = await this.nodes.broadcast(signed, untilMs);
    return { signed, outcome: combineOutcomes(deliveries.map((delivery) => delivery.outcome)), deliveries };
  }

  /** Notes in the orders' history what each node said. */
  async record(db: Queryable, sent: readonly Sent[]): Promise<void> {
    const txIds = sent.map(({ signed }) => signed.txId);
    await db.execute(MARK_ANSWERED, [JSON.stringify(sent.map(answerRow)), txIds]);
  }

  /** Both. Throws when the database is away, with the bytes sent. */
  async send(signed: SignedTransaction): Promise<Sent> {
    const sent = await this.broadcast(signed);
    await this.record(this.sql, [sent]);
    return sent;
  }

  /** Bytes that are due to be sent again, claimed so that no other instance sends them at the same moment. */
  async claimResends(headTimeMs: number, most: number): Promise<SignedTransaction[]> {
    return (await this.sql.rows<OutboxRow & Record<string, unknown>>(CLAIM_RESENDS, [headTimeMs, most])).map(
      signedOfRow,
    );
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
    raw_data: signed.rawData,
    raw_data_hex: signed.rawDataHex,
    signature: signed.signature,
    expiration_ms: signed.expirationMs,
    ref_block_number: signed.refBlock.number,
    ref_block_id: signed.refBlock.id,
    resend: transaction.resend,
  };
}

function answerRow({ signed, outcome, deliveries }: Sent) {
  const nodes = deliveries.map(({ node, outcome: said }) => ({ node, ...said }));
  return {
    tx_id: signed.txId,
    accepted: outcome.kind === 'accepted',
    detail: { txid: signed.txId, outcome: outcome.kind, nodes },
  };
}
