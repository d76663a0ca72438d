import { Injectable } from '@nestjs/common';
import { BigNumber } from 'bignumber.js';
import { smallestOrder } from '../../billing/energy-amount';
import { OPEN_STATES } from '../../common/order.states';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { OrderRepository } from '../../delegation/order.repository';
import { PlaceOrder } from '../../delegation/placing/place-order';

/** The account of the service's own orders. It has no password and no token, and its balance stays zero. */
const OWN_USER = '00000000-0000-7000-8000-000000000001';

const HAVE_USER = statement<[id: string]>(
  'own_orders_have_user',
  `with made as (
     insert into users (id, email, name, disabled_at) values ($1, 'sweeps@service.invalid', 'Sweeps of deposits', now())
     on conflict do nothing returning id
   )
   insert into accounts (user_id) select id from made`,
);
/** Only an order whose delegation is final is due to be taken back. The due time only moves closer. */
const TAKE_BACK = statement<[id: string, headTimeMs: number]>(
  'own_orders_take_back',
  `update delegations set reclaim_due_at = to_timestamp($2::float8 / 1000)
    where id = $1 and state = 'delegated' and reclaim_due_at > to_timestamp($2::float8 / 1000)`,
);

/** Energy that the pool delegates for the service's own transactions: free, like the activation of the address. */
@Injectable()
export class OwnOrders {
  constructor(
    private readonly sql: Sql,
    private readonly placeOrder: PlaceOrder,
    private readonly orders: OrderRepository,
  ) {}

  /** Gives the order's id. The same key places no second order. @throws ServiceError, with `delegationId` once the order has a row */
  async place(receiver: string, energy: bigint, key: string): Promise<string> {
    await this.sql.execute(HAVE_USER, [OWN_USER]);
    const { delegationId } = await this.placeOrder.place({
      userId: OWN_USER,
      tokenId: null,
      allowedReceivers: null,
      idempotencyKey: key,
      receiver,
      transactions: new BigNumber(smallestOrder(energy)),
      rentalMinutes: 10,
      activate: true,
      maxCostSun: null,
      isFree: true,
    });
    return delegationId;
  }

  /** It may still bring energy, or has brought it. */
  async isUnderWay(id: string): Promise<boolean> {
    const order = await this.orders.find(id);
    return order !== null && [...OPEN_STATES, 'delegated'].includes(order.state);
  }

  /** Its energy is taken back from now on. False while its delegation is not final. */
  async takeBack(id: string, headTimeMs: number): Promise<boolean> {
    // First: a delegation that becomes final after an update that found it open would keep its due time.
    const order = await this.orders.find(id);
    if (order !== null && OPEN_STATES.includes(order.state)) return false;
    await this.sql.execute(TAKE_BACK, [id, headTimeMs]);
    return true;
  }
}
