import { Injectable } from '@nestjs/common';
import type { TransactionPurpose } from '../chain-transaction.entity';
import { combineOutcomes, type BroadcastOutcome } from '../node/broadcast-outcome';
import { NodeClient, type Delivery } from '../node/node-client';
import type { SignedTransaction } from '../signed-transaction';
import { Sql, type Queryable, type SqlTransaction } from '../../database/sql';
import { signedOfRow, type OutboxRow } from './outbox-row';
import { CLAIM_RESENDS, INSERT, MARK_ANSWERED } from './outbox.statements';

export interface NewTransaction {
  readonly purpose: TransactionPurpose;
  readonly delegationId: string;
  readonly walletId: string;
  readonly receiver: string;
  readonly amountSun: bigint;
  /** May be sent again from the start: the service stands by it whatever the caller is told. Never for a delegation. */
  readonly resend: boolean;
}

export interface Sent {
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
  async save(tx: SqlTransaction, transaction: NewTransaction, signed: SignedTransaction): Promise<void> {
    await tx.execute(INSERT, [
      signed.txId,
      transaction.purpose,
      transaction.delegationId,
      transaction.walletId,
      transaction.receiver,
      transaction.amountSun,
      JSON.stringify(signed.rawData),
      signed.rawDataHex,
      signed.signature,
      signed.expirationMs,
      signed.refBlock.number,
      signed.refBlock.id,
      transaction.resend,
    ]);
  }

  /** Sends committed bytes. Never throws: what a node did not say is part of the outcome. */
  async broadcast(signed: SignedTransaction): Promise<Sent> {
    const deliveries = await this.nodes.broadcast(signed);
    return { outcome: combineOutcomes(deliveries.map((delivery) => delivery.outcome)), deliveries };
  }

  /** Notes in the order's history what each node said. */
  async record(db: Queryable, signed: SignedTransaction, { outcome, deliveries }: Sent): Promise<void> {
    await db.execute(MARK_ANSWERED, [
      signed.txId,
      outcome.kind === 'accepted',
      JSON.stringify({
        txid: signed.txId,
        outcome: outcome.kind,
        nodes: deliveries.map(({ node, outcome: said }) => ({ node, ...said })),
      }),
    ]);
  }

  /** Both. Throws when the database is away, with the bytes sent. */
  async send(signed: SignedTransaction): Promise<Sent> {
    const sent = await this.broadcast(signed);
    await this.record(this.sql, signed, sent);
    return sent;
  }

  /** Bytes that are due to be sent again, claimed so that no other instance sends them at the same moment. */
  async claimResends(headTimeMs: number, most: number): Promise<SignedTransaction[]> {
    return (await this.sql.rows<OutboxRow & Record<string, unknown>>(CLAIM_RESENDS, [headTimeMs, most])).map(
      signedOfRow,
    );
  }
}
