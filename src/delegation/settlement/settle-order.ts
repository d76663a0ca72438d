import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BillingService } from '../../billing/billing.service';
import {
  TransactionOutcomes,
  type DecidedRow,
  type Outcome,
  type OutcomeListener,
} from '../../chain/observer/transaction-outcomes';
import type { DroppedRow, OutboxRow } from '../../chain/transactions/outbox/outbox-row';
import { WalletRests } from '../../chain/pool/wallets/wallet-rests';
import { awaitAll } from '../../common/concurrency/await-all';
import { ordersSolid, type OrderSolid } from '../../common/telemetry-channels';
import type { SqlTransaction } from '../../database/sql';
import { OrderEventRepository } from '../order-event.repository';
import { type OrderChange, OrderEvents } from '../order-events';
import type { OrderRow } from '../order-row';
import { OrderRepository } from '../order.repository';
import { statesBefore, stateTakenBack, type OrderState } from '../../common/order.states';
import { reclaimAfterMs } from '../reclaim-time';
import { ReclaimRepository } from '../reclaim/reclaim.repository';

/** What blocks prove, carried over to orders and money, in the transaction that records the proof. */
@Injectable()
export class SettleOrder implements OutcomeListener, OnModuleInit {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly outcomes: TransactionOutcomes,
    private readonly orders: OrderRepository,
    private readonly history: OrderEventRepository,
    private readonly events: OrderEvents,
    private readonly reclaims: ReclaimRepository,
    private readonly billing: BillingService,
    private readonly rests: WalletRests,
  ) {}

  onModuleInit(): void {
    this.outcomes.listen(this);
  }

  /** An activation changes no order; money moves with a delegation alone. */
  async lock(tx: SqlTransaction, outcome: Outcome, rows: readonly DecidedRow[]): Promise<readonly DecidedRow[]> {
    const settles = outcome === 'final' || outcome === 'dead';
    const changing = rows.filter(({ purpose }) => purpose === 'delegation' || (settles && purpose === 'reclaim'));
    if (changing.length === 0) return rows;
    const ids = changing.map((row) => row.delegation_id);
    const free = await this.orders.lockFree(tx, ids);
    const delegations = changing.filter((row) => row.purpose === 'delegation' && free.has(row.delegation_id));
    const lacking =
      settles && delegations.length > 0 ? await this.billing.lockToSettle(tx, delegations.map(idOf)) : new Set();
    return rows.filter(
      (row) => !changing.includes(row) || (free.has(row.delegation_id) && !lacking.has(row.delegation_id)),
    );
  }

  awaitPayer(tx: SqlTransaction, userId: string): Promise<void> {
    return this.billing.awaitAccount(tx, userId);
  }

  async included(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void> {
    const delegations = rows.filter(({ purpose }) => purpose === 'delegation');
    const others = rows.filter(({ purpose }) => purpose !== 'delegation');
    await awaitAll(
      this.changeStates(tx, delegations, 'included'),
      ...others.map((row) => this.note(tx, row, 'included')),
      this.rests.worked(tx, rows),
    );
  }

  async dropped(tx: SqlTransaction, row: OutboxRow): Promise<void> {
    if (row.purpose !== 'delegation') return this.note(tx, row, 'dropped by a fork');
    await this.changeStates(tx, [row], 'sent', ['included']);
  }

  /** All of it is locked by now; sorted by user like wherever several accounts change. */
  async final(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void> {
    const ids = rows.filter(({ purpose }) => purpose !== 'activation').map((row) => row.delegation_id);
    const locked = ids.length === 0 ? [] : await this.orders.lockAll(tx, ids);
    const orders = new Map(locked.map((order) => [order.id, order]));
    const settled = await awaitAll(...rows.map((row) => this.orderIsFinal(tx, row, orders.get(row.delegation_id))));
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
    if (row.purpose === 'delegation') return this.delegationIsFinal(tx, row, order!);
    if (row.purpose === 'reclaim') return this.reclaimIsFinal(tx, row, order!);
    await this.note(tx, row, 'final');
    return null;
  }

  /** Nothing of it can land any more: stake and money are free. */
  async dead(tx: SqlTransaction, row: OutboxRow): Promise<void> {
    await this.note(tx, row, 'dead');
    if (row.purpose === 'reclaim') await this.reclaims.expired(tx, row.delegation_id);
    if (row.purpose !== 'delegation') return;
    await this.changeStates(tx, [row], 'failed');
    await this.billing.release(tx, row.delegation_id);
  }

  /** Answered with a failure: never charged, and the energy is taken back right away. Else charged exactly what was held. */
  private async delegationIsFinal(tx: SqlTransaction, row: OutboxRow, order: OrderRow): Promise<OrderChange | null> {
    const blockMs = Number(row.block_time_ms);
    const refused = order.answer === 'failure';
    const state: OrderState = refused ? 'taking_back' : 'delegated';
    const dueMs = refused ? blockMs : blockMs + this.reclaimAfterMs(order);
    const settlement = { id: row.delegation_id, state, blockMs, detail: detailOf(row) };
    if (!(await this.orders.settleDelegation(tx, settlement, row.block_number, dueMs))) return null;
    const solid: OrderSolid = { delegationId: row.delegation_id, txId: row.tx_id, state };
    tx.afterCommit(() => ordersSolid.publish(solid));
    return { id: order.id, state, before: order.state };
  }

  private async reclaimIsFinal(tx: SqlTransaction, row: OutboxRow, order: OrderRow): Promise<OrderChange | null> {
    const settlement = {
      id: row.delegation_id,
      state: stateTakenBack(order.state),
      blockMs: Number(row.block_time_ms),
      detail: detailOf(row),
    };
    await this.reclaims.noteCompared(tx, row.wallet_id, order.receiver, row.tx_id);
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
    const changes = rows.map((row) => ({ id: row.delegation_id, detail: detailOf(row) }));
    const changed = await this.orders.changeStates(tx, changes, state, before);
    await this.events.changed(
      tx,
      changed.map((id) => ({ id, state })),
    );
  }

  private async note(tx: SqlTransaction, row: OutboxRow, outcome: string): Promise<void> {
    await this.history.note(tx, row.delegation_id, `${row.purpose} ${outcome}`, detailOf(row));
  }
}

function idOf({ delegation_id: id }: DecidedRow): string {
  return id;
}

/** Its txid, and the id of the block that it has come to stay in, stand in the transaction's row; who reads a history has them from there. */
function detailOf({ id, block_number: block, dropped_block_id: dropped }: OutboxRow & Partial<DroppedRow>) {
  return { tx: Number(id), ...(block !== null && { block: Number(block) }), ...(dropped && { dropped }) };
}
