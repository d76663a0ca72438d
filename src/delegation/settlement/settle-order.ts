import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BillingService } from '../../billing/billing.service';
import type { Outcome, OutcomeListener } from '../../chain/transactions/kinds/transaction-kind';
import { TransactionKinds } from '../../chain/transactions/kinds/transaction-kinds';
import type { DecidedRow, DroppedRow, OutboxRow } from '../../chain/transactions/outbox/outbox-row';
import { WalletRests } from '../../chain/pool/wallets/wallet-rests';
import { awaitAll } from '../../common/concurrency/await-all';
import { finalOrders, type FinalOrder } from '../../common/telemetry-channels';
import type { SqlTransaction } from '../../database/sql';
import { OrderHistories } from '../order-histories';
import { type OrderChange, OrderEvents } from '../order-events';
import type { OrderRow } from '../order.entity';
import { OrderRepository } from '../order.repository';
import { statesBefore, stateTakenBack, type OrderState } from '../../common/order.states';
import { reclaimAfterMs } from '../reclaim-time';
import { ReclaimRepository } from '../reclaim/reclaim.repository';
import { ACTIVATION, DELEGATION, RECLAIM } from '../transaction-kinds';
import { LentReadings } from './lent-readings';

/** What blocks prove, carried over to orders and money, in the transaction that records the proof. */
@Injectable()
export class SettleOrder implements OutcomeListener {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly orders: OrderRepository,
    private readonly histories: OrderHistories,
    private readonly events: OrderEvents,
    private readonly reclaims: ReclaimRepository,
    private readonly billing: BillingService,
    private readonly rests: WalletRests,
    private readonly readings: LentReadings,
    kinds: TransactionKinds,
  ) {
    kinds.register(this, ACTIVATION, DELEGATION, RECLAIM);
  }

  /** An activation changes no order; money moves with a delegation alone. */
  async lock(tx: SqlTransaction, outcome: Outcome, rows: readonly DecidedRow[]): Promise<readonly DecidedRow[]> {
    const settles = outcome === 'final' || outcome === 'dead';
    const changing = rows.filter(({ purpose }) => purpose === DELEGATION.name || (settles && purpose === RECLAIM.name));
    if (changing.length === 0) return rows;
    const ids = changing.map((row) => row.subject_id);
    const free = await this.orders.lockFree(tx, ids);
    const delegations = changing.filter((row) => row.purpose === DELEGATION.name && free.has(row.subject_id));
    const lacking =
      settles && delegations.length > 0 ? await this.billing.lockToSettle(tx, delegations.map(idOf)) : new Set();
    return rows.filter((row) => !changing.includes(row) || (free.has(row.subject_id) && !lacking.has(row.subject_id)));
  }

  awaitPayer(tx: SqlTransaction, userId: string): Promise<void> {
    return this.billing.awaitAccount(tx, userId);
  }

  agrees(row: OutboxRow, hasLanded: boolean, number: number): Promise<boolean> {
    return this.readings.agree(row, hasLanded, number);
  }

  async included(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void> {
    const delegations = rows.filter(({ purpose }) => purpose === DELEGATION.name);
    const others = rows.filter(({ purpose }) => purpose !== DELEGATION.name);
    await awaitAll(
      this.changeStates(tx, delegations, 'included'),
      ...others.map((row) => this.note(tx, row, 'included')),
      this.rests.worked(tx, rows),
    );
  }

  async dropped(tx: SqlTransaction, row: OutboxRow): Promise<void> {
    if (row.purpose !== DELEGATION.name) return this.note(tx, row, 'dropped by a fork');
    await this.changeStates(tx, [row], 'sent', ['included']);
  }

  /** All of it is locked by now; sorted by user like wherever several accounts change. */
  async final(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void> {
    const ids = rows.filter(({ purpose }) => purpose !== ACTIVATION.name).map((row) => row.subject_id);
    const locked = ids.length === 0 ? [] : await this.orders.lockAll(tx, ids);
    const orders = new Map(locked.map((order) => [order.id, order]));
    const settled = await awaitAll(...rows.map((row) => this.orderIsFinal(tx, row, orders.get(row.subject_id))));
    const changes = settled.filter((change) => change !== null);
    const toCharge = changes.filter(({ state }) => state === 'delegated').map(({ id }) => orders.get(id)!);
    // Each user's orders settle in the order they were placed, which is the order in which their subscriptions were used.
    toCharge.sort((a, b) => (`${a.user_id} ${a.id}` < `${b.user_id} ${b.id}` ? -1 : 1));
    await awaitAll(
      ...toCharge.map(({ id }) => this.billing.take(tx, id)),
      this.rests.worked(tx, rows),
      this.events.changed(tx, changes),
    );
  }

  /** How it changes its order, if it does. */
  private async orderIsFinal(
    tx: SqlTransaction,
    row: OutboxRow,
    order: OrderRow | undefined,
  ): Promise<OrderChange | null> {
    if (row.purpose === DELEGATION.name) return this.delegationIsFinal(tx, row, order!);
    if (row.purpose === RECLAIM.name) return this.reclaimIsFinal(tx, row, order!);
    await this.note(tx, row, 'final');
    return null;
  }

  /** Nothing of it can land any more: stake and money are free. */
  async dead(tx: SqlTransaction, row: OutboxRow): Promise<void> {
    await this.note(tx, row, 'dead');
    if (row.purpose === RECLAIM.name) await this.reclaims.expired(tx, row.subject_id);
    if (row.purpose !== DELEGATION.name) return;
    await this.changeStates(tx, [row], 'failed');
    await this.billing.release(tx, row.subject_id);
  }

  /** Answered with a failure: never charged, and the energy is taken back right away. Else charged exactly what was held. */
  private async delegationIsFinal(tx: SqlTransaction, row: OutboxRow, order: OrderRow): Promise<OrderChange | null> {
    const blockMs = Number(row.block_time_ms);
    const refused = order.answer === 'failure';
    const state: OrderState = refused ? 'taking_back' : 'delegated';
    const dueMs = refused ? blockMs : blockMs + this.reclaimAfterMs(order);
    const settlement = { id: row.subject_id, state, blockMs, detail: detailOf(row) };
    if (!(await this.orders.settleDelegation(tx, settlement, row.block_number, dueMs))) return null;
    const final: FinalOrder = { delegationId: row.subject_id, txId: row.tx_id, state };
    tx.afterCommit(() => finalOrders.publish(final));
    return { id: order.id, state, before: order.state };
  }

  private async reclaimIsFinal(tx: SqlTransaction, row: OutboxRow, order: OrderRow): Promise<OrderChange | null> {
    const settlement = {
      id: row.subject_id,
      state: stateTakenBack(order.state),
      blockMs: Number(row.block_time_ms),
      detail: detailOf(row),
    };
    await this.reclaims.noteCompared(tx, row.wallet_id!, order.receiver, row.tx_id);
    return (await this.orders.settleReclaim(tx, settlement)) ? settlement : null;
  }

  /** As it was sold, whatever this instance's settings are. */
  private reclaimAfterMs(order: OrderRow): number {
    return Number(order.reclaim_after_ms ?? reclaimAfterMs(this.configuration.reclaim, order.rental_minutes));
  }

  private async changeStates(
    tx: SqlTransaction,
    rows: readonly OutboxRow[],
    state: OrderState,
    from: readonly OrderState[] = statesBefore(state),
  ): Promise<void> {
    if (rows.length === 0) return;
    const before = from.filter((one) => statesBefore(state).includes(one));
    const changes = rows.map((row) => ({ id: row.subject_id, detail: detailOf(row) }));
    const changed = await this.orders.changeStates(tx, changes, state, before);
    await this.events.changed(
      tx,
      changed.map((id) => ({ id, state })),
    );
  }

  private async note(tx: SqlTransaction, row: OutboxRow, outcome: string): Promise<void> {
    await this.histories.note(tx, row.subject_id, `${row.purpose} ${outcome}`, detailOf(row));
  }
}

function idOf({ subject_id: id }: DecidedRow): string {
  return id;
}

/** Its txid, and the id of the block that it has come to stay in, stand in the transaction's row; who reads a history has them from there. */
function detailOf({ id, block_number: block, dropped_block_id: dropped }: OutboxRow & Partial<DroppedRow>) {
  return { tx: Number(id), ...(block !== null && { block: Number(block) }), ...(dropped && { dropped }) };
}
