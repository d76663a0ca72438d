import { Inject, Injectable } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BillingService, insufficientBalance, type OrderToPay } from '../../billing/billing.service';
import { energyOf } from '../../billing/energy-amount';
import { stakeForEnergyCeil } from '../../chain/energy';
import { ReferenceBlocks, type ReferenceBlock } from '../../chain/reference-blocks';
import type { SignedTransaction } from '../../chain/signing/signed-transaction';
import { SigningKeyError } from '../../chain/signing/signing-keys';
import { Capacity } from '../../chain/wallets/capacity';
import { ChooseWallet } from '../../chain/wallets/choose-wallet';
import { StakeTakenError } from '../../chain/wallets/reservations';
import type { WalletRow } from '../../chain/wallets/wallet-row';
import { ServiceError } from '../../common/errors/service.error';
import { CommitUnknownError } from '../../database/commit-unknown.error';
import { Sql } from '../../database/sql';
import { DatabaseRetry } from '../database-retry';
import type { OrderRequest } from '../order-request';
import type { OrderRecord } from '../order-row';
import { FIND, FIND_BY_KEY } from '../order.statements';
import { OrderAttempt } from './order-attempt';

/** An order whose rows are committed. */
export type WrittenOrder =
  | { readonly kind: 'signed'; readonly id: string; readonly wallet: WalletRow; readonly delegation: SignedTransaction }
  | {
      readonly kind: 'activating';
      readonly id: string;
      readonly wallet: WalletRow;
      readonly stakeSun: bigint;
      /** Sent by this order, or by another order for the same receiver. */
      readonly activationTxId: string;
      readonly activation: { readonly signed: SignedTransaction; readonly payer: WalletRow } | null;
    }
  | { readonly kind: 'repeated'; readonly row: OrderRecord };

/** What is known of an order before its rows are written. */
export interface OrderPlan {
  readonly id: string;
  readonly energy: bigint;
  /** For the energy, when the balance pays; null: more than any balance has. */
  readonly feeSun: bigint | null;
  readonly stakeSun: bigint;
  readonly receiverIsActive: boolean;
  readonly reference: ReferenceBlock;
}

/** Attempts when orders meet: on a wallet, or on a unique index (one activation per receiver, equal bytes from two instances). */
const ATTEMPTS = 50;
const DEADLOCK = '40P01';
const RETRIED_INDEXES = ['chain_transactions_one_live_activation_per_receiver', 'chain_transactions_tx_id_unique'];
const LARGEST_STAKE_SUN = 2n ** 62n;

/** The order's first transaction: hold, wallet, rows and signed bytes, all or nothing. */
@Injectable()
export class CreateOrder {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sql: Sql,
    private readonly billing: BillingService,
    private readonly capacity: Capacity,
    private readonly chooseWallet: ChooseWallet,
    private readonly references: ReferenceBlocks,
    private readonly rows: OrderAttempt,
    private readonly databaseRetry: DatabaseRetry,
  ) {}

  /** @throws ServiceError INSUFFICIENT_BALANCE before INSUFFICIENT_ENERGY, PAUSED, ACTIVATION_UNAVAILABLE; then nothing was written. */
  async write(order: OrderRequest, receiverIsActive: boolean): Promise<WrittenOrder> {
    const plan = await this.plan(order, receiverIsActive);
    let lookedForMore = false;
    for (let attempt = 1; ; attempt++) {
      try {
        const { stakeSun } = plan;
        return await this.chooseWallet.delegating(stakeSun, order.receiver, (wallet) =>
          this.rows.write(order, plan, wallet),
        );
      } catch (error) {
        if (error instanceof CommitUnknownError && (await this.isWritten(plan.id))) return error.result as WrittenOrder;
        if (isShortOfEnergy(error) && !lookedForMore) {
          lookedForMore = true;
          if (await this.capacity.findMore(plan.stakeSun)) continue;
        }
        if (hasMet(error) && attempt < ATTEMPTS) continue;
        const refusal = isWithoutWallet(error) ? await this.refusal(order, plan, error) : error;
        // What is wanting may be what the first request with this key has taken: its answer is this one's too.
        const repeated = await this.findRepeated(order);
        if (repeated) return { kind: 'repeated', row: repeated };
        throw refusal;
      }
    }
  }

  /** Everything that asks a node comes before the transaction. */
  private async plan(order: OrderRequest, receiverIsActive: boolean): Promise<OrderPlan> {
    const energy = energyOf(order.transactions);
    const [rate, feeSun] = await Promise.all([
      this.capacity.rateForOrder(),
      this.billing.feeSun(order.userId, order.transactions),
    ]);
    if (!rate) {
      const noWallet = new ServiceError('INSUFFICIENT_ENERGY', 'there is no pool wallet');
      throw await this.refusal(order, { energy, feeSun, receiverIsActive }, noWallet);
    }
    const exactStake = stakeForEnergyCeil(energy, rate, this.configuration.delegation.energyMarginPpm);
    const stakeSun = exactStake < LARGEST_STAKE_SUN ? exactStake : LARGEST_STAKE_SUN;
    return { id: uuidv7(), energy, feeSun, stakeSun, receiverIsActive, reference: await this.references.solid() };
  }

  /** When both are wanting, the balance is what the caller is told of. */
  private async refusal(
    order: OrderRequest,
    plan: Pick<OrderPlan, 'energy' | 'feeSun' | 'receiverIsActive'>,
    otherwise: ServiceError,
  ): Promise<ServiceError> {
    const payment: Omit<OrderToPay, 'delegationId'> = {
      userId: order.userId,
      energy: plan.energy,
      feeSun: plan.feeSun,
      activation: !plan.receiverIsActive && !(await this.rows.findActivation(order.receiver)),
    };
    if (await this.billing.canPay(payment)) return otherwise;
    return insufficientBalance();
  }

  /** After a commit that was not acknowledged. While that cannot be told, nothing of the order is sent, so nothing can land. */
  private async isWritten(id: string): Promise<boolean> {
    return this.databaseRetry
      .throughOutage(() => this.sql.row(FIND, [id]))
      .then(
        (row) => row !== null,
        () => false,
      );
  }

  private async findRepeated(order: OrderRequest): Promise<OrderRecord | null> {
    if (order.idempotencyKey === null) return null;
    return this.sql.row<OrderRecord>(FIND_BY_KEY, [order.userId, order.idempotencyKey]);
  }
}

function isShortOfEnergy(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'INSUFFICIENT_ENERGY';
}

/** Refused by the pool, or by a wallet whose key is not at hand. */
function isWithoutWallet(error: unknown): error is ServiceError {
  const codes = ['INSUFFICIENT_ENERGY', 'PAUSED', 'ACTIVATION_UNAVAILABLE'];
  return error instanceof SigningKeyError || (error instanceof ServiceError && codes.includes(error.code));
}

/** Two orders wanted the same, and the other one has it. */
function hasMet(error: unknown): boolean {
  if (error instanceof StakeTakenError) return true;
  return (
    error instanceof DatabaseError && (error.code === DEADLOCK || RETRIED_INDEXES.some((name) => isOn(error, name)))
  );
}

function isOn(error: unknown, index: string): boolean {
  return error instanceof DatabaseError && error.constraint === index;
}
