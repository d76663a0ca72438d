import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import type { OrderWorld } from '../../support/order-world';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';

export interface SharedOrder {
  readonly id: string;
  readonly receiver: string;
  readonly user: PanelUserLogin;
  readonly panel: PanelClient;
}

/** A world whose chain signs like a real one, by 27 witnesses. */
export const SIGNED = { block: 'manual', witnesses: 27, env: { ANSWER_TIMEOUT: '1s' } } as const;

export async function untilSigned(world: OrderWorld): Promise<void> {
  await world.control('block', { count: 40 });
  await world.untilRow(`select 1 from witness_set where jsonb_array_length(witnesses) = 27`);
}

/** A final order of a customer who is signed in to the panel. */
export async function finalOrder(world: OrderWorld, email: string): Promise<SharedOrder> {
  const user = await insertPanelUser(world.app, { email, balance: 100 });
  const { token } = await world.app.app
    .get(ApiTokenService)
    .create({ userId: user.id, name: 'test', permissions: ['delegate'] });
  const receiver = await world.receiver();
  const placing = world.delegate({ id: user.id, token }, { receiver_address: receiver, amount: 1 });
  await world.untilPending();
  await world.control('block');
  const id = (await placing).headers.get('x-delegation-id')!;
  await world.control('block', { count: 20 });
  await world.untilState(id, 'delegated');
  const panel = new PanelClient(world.app.url);
  await panel.signIn(user.email, user.password);
  // Its cookie for forms: of several first pages at the same moment each would bring another one.
  await panel.get('/panel/account');
  return { id, receiver, user, panel };
}

/** Presses the button of the order's page; where the receipt is from then on, without scheme and host. */
export async function share({ id, panel }: SharedOrder): Promise<string> {
  const page = `/panel/orders/${id}`;
  await panel.submit(page, `${page}/receipt/share`);
  const path = /\/r\/[\w-]{22}(?=")/.exec((await panel.get(page)).text)?.[0];
  if (path === undefined) throw new Error('The page of the order shows no link');
  return path;
}
