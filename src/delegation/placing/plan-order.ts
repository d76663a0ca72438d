import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BillingService, insufficientBalance } from '../../billing/billing.service';
import { energyOf } from '../../billing/energy-amount';
import { stakeForEnergyCeil } from '../../chain/energy';
import { ReferenceBlocks } from '../../chain/reference-blocks';
import { Capacity } from '../../chain/wallets/capacity';
import { ServiceError } from '../../common/errors/service.error';
import type { OrderRequest } from '../order-request';
import { OrderTransactionRepository } from './order-transaction.repository';
import type { PlannedOrder } from './planned-order';

const LARGEST_STAKE_SUN = 2n ** 62n;

/** What an order costs and takes. Everything that asks a node comes here, before the order's transaction. */
@Injectable()
export class PlanOrder {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly billing: BillingService,
    private readonly capacity: Capacity,
    private readonly references: ReferenceBlocks,
    private readonly transactions: OrderTransactionRepository,
  ) {}

  /** @throws ServiceError INSUFFICIENT_BALANCE before INSUFFICIENT_ENERGY */
  async plan(request: OrderRequest, receiverIsActive: boolean): Promise<PlannedOrder> {
    const energy = energyOf(request.transactions);
    const [rate, feeSun] = await Promise.all([
      this.capacity.rateForOrder(),
      this.billing.feeSun(request.userId, request.transactions),
    ]);
    if (!rate) {
      const noWallet = new ServiceError('INSUFFICIENT_ENERGY', 'there is no pool wallet');
      throw await this.refusal({ request, energy, feeSun, receiverIsActive }, noWallet);
    }
    const exactStake = stakeForEnergyCeil(energy, rate, this.configuration.delegation.energyMarginPpm);
    const stakeSun = exactStake < LARGEST_STAKE_SUN ? exactStake : LARGEST_STAKE_SUN;
    // Before the wait: orders of one account are charged in the order of their ids.
    const id = uuidv7();
    const reference = await this.references.final();
    return { id, request, energy, feeSun, stakeSun, receiverIsActive, reference };
  }

  /** When balance and energy are both wanting, the caller hears of the balance. */
  async refusal(
    { request, energy, feeSun, receiverIsActive }: Omit<PlannedOrder, 'id' | 'stakeSun' | 'reference'>,
    otherwise: ServiceError,
  ): Promise<ServiceError> {
    const activation = !receiverIsActive && !(await this.transactions.findLiveActivation(request.receiver));
    const canPay = await this.billing.canPay({ userId: request.userId, energy, feeSun, activation });
    return canPay ? otherwise : insufficientBalance();
  }
}
