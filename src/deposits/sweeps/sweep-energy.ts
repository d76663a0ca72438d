import { Inject, Injectable } from '@nestjs/common';
import { ChainReads } from '../../chain/tron/node/chain-reads';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { BACKGROUND_WORK } from '../../common/background-job';
import { ServiceError } from '../../common/errors/service.error';
import { Sql } from '../../database/sql';
import { Holdings } from './holdings';
import { OwnOrders } from './own-orders';
import { ENERGY_ENDED, HAS_ENERGY, type SignedSweep, WITH_NEEDLESS_ENERGY } from './sweep.statements';

/** The network's total stake grows between the delegation and the call. */
const MARGIN = 715n;

/** Energy for sweeps of USDT, delegated by the pool to the address that pays, for as long as the sweep takes. */
@Injectable()
export class SweepEnergy {
  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly holdings: Holdings,
    private readonly orders: OwnOrders,
    private readonly references: ReferenceBlocks,
    @Inject(BACKGROUND_WORK) private readonly isService: boolean,
  ) {}

  /** Null once the address has what the call takes; else energy is delegated, where none is under way. @throws NodeUnavailableError */
  async lackOf(sweep: SignedSweep, to: string): Promise<string | null> {
    const needed = await this.holdings.energyTo(to);
    if (await this.has(sweep.address, needed)) return null;
    // A command ends before the chain has taken the delegation in.
    if (!this.isService) return 'it waits until the running service has delegated energy to its address';
    const before = sweep.energy_order_id;
    if (before !== null && (await this.orders.isUnderWay(before))) return `it waits for the energy of order ${before}`;
    const order = await this.delegate(sweep, needed + MARGIN);
    return (await this.has(sweep.address, needed)) ? null : `it waits for the energy of order ${order}`;
  }

  /** Has energy taken back that no sweep needs any more. */
  async end(): Promise<void> {
    for (const { id, order_id: orderId } of await this.sql.rows(WITH_NEEDLESS_ENERGY))
      if (await this.orders.takeBack(orderId, await this.references.headTimeMs()))
        await this.sql.execute(ENERGY_ENDED, [id]);
  }

  /**
   * A process that ends before the order is noted places none again: the key is the same, unless the call takes another amount by then. Where the
   * energy is there by then, none is placed and none is noted: it comes back after its ten minutes. @throws ServiceError
   */
  private async delegate({ id, address, energy_order_id: before }: SignedSweep, energy: bigint): Promise<string> {
    try {
      const order = await this.orders.place(address, energy, `${id} ${before ?? ''} ${energy}`);
      await this.sql.execute(HAS_ENERGY, [id, order]);
      return order;
    } catch (error) {
      if (error instanceof ServiceError && error.delegationId !== undefined)
        await this.sql.execute(HAS_ENERGY, [id, error.delegationId]);
      throw error;
    }
  }

  private async has(address: string, needed: bigint): Promise<boolean> {
    return (await this.reads.energyLeft(address)) >= needed;
  }
}
