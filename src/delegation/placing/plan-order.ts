import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { BillingService } from '../../billing/billing.service';
import { energyOf } from '../../billing/energy-amount';
import { insufficientBalance } from '../../billing/payment-refusal';
import { stakeForEnergyCeil } from '../../chain/tron/energy';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { Capacity } from '../../chain/pool/wallets/capacity';
import { ServiceError } from '../../common/errors/service.error';
import type { OrderRequest } from '../order-request';
import { OrderTransactionRepository } from './order-transaction.repository';
import type { PlannedOrder } from './planned-order';

const LARGEST_STAKE_SUN = 2n ** 62n;

type OrderToRefuse = Pick<PlannedOrder, 'request' | 'feeSun' | 'receiverIsActive'> & { readonly energy: bigint | null };

/** What an order costs and takes. Everything that asks a node comes here, before the order's transaction. */
@Injectable()
export class PlanOrder {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly billing: BillingService,
    private readonly capacity: Capacity,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly transactions: OrderTransactionRepository,
  ) {}

  /** @throws ServiceError COST_ABOVE_MAX, TOKEN_LIMIT_REACHED, INSUFFICIENT_BALANCE, INSUFFICIENT_ENERGY: the first of those that hold; NODE_UNAVAILABLE */
  async plan(request: OrderRequest, receiverIsActive: boolean, waitEndMs: number): Promise<PlannedOrder> {
    const energy = energyOf(request.transactions);
    if (energy === null) {
      throw await this.refusal({ request, energy, feeSun: null, receiverIsActive }, insufficientBalance());
    }
    const [rate, feeSun] = await Promise.all([
      this.capacity.rateForOrder(waitEndMs),
      request.isFree ? 0n : this.billing.feeSun(request.userId, request.transactions),
    ]);
    if (!rate) {
      const noWallet = new ServiceError('INSUFFICIENT_ENERGY', 'the pool has no wallet');
      throw await this.refusal({ request, energy, feeSun, receiverIsActive }, noWallet);
    }
    const exactStake = stakeForEnergyCeil(energy, rate, this.configuration.delegation.energyMarginPpm);
    const stakeSun = exactStake < LARGEST_STAKE_SUN ? exactStake : LARGEST_STAKE_SUN;
    // Before the wait: orders of one account are charged in the order of their ids.
    const id = uuidv7();
    const reference = await this.referenceBlocks.final();
    return { id, request, energy, feeSun, stakeSun, receiverIsActive, reference };
  }

  /** When limits or balance are wanting as well, the caller hears of them and not of the energy. @throws NodeUnavailableError */
  async refusal(order: OrderToRefuse, otherwise: ServiceError): Promise<ServiceError> {
    const { request, energy, feeSun, receiverIsActive } = order;
    const { userId, tokenId, maxCostSun, receiver } = request;
    const activation = !receiverIsActive && !request.isFree && !(await this.transactions.findLiveActivation(receiver));
    // No quota has more than any wallet: then no node is asked for the time.
    const timeMs = energy === null ? null : await this.referenceBlocks.headTimeMs();
    const toPay = { userId, tokenId, maxCostSun, energy, feeSun, activation, timeMs };
    return (await this.billing.findRefusal(toPay)) ?? otherwise;
  }
}
