import { LENT_ORDER_STATES, OPEN_ORDER_STATES } from '../../../src/chain/wallets/order-states.sql';
import { LENT_STATES, OPEN_STATES } from '../../../src/delegation/order.states';

it('the order states that wallets depend on are those of the delegation room', () => {
  expect([OPEN_ORDER_STATES, LENT_ORDER_STATES]).toEqual([OPEN_STATES, LENT_STATES]);
});
