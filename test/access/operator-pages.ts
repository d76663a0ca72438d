import { insertSubscription } from '../support/factories';
import type { OrderWorld } from '../support/order-world';
import type { PanelAnswer, PanelClient } from '../support/panel-client';
import { PANEL } from './route-classes';
import type { Ids } from './route-world';
import { insertDepositAddress, insertSmallDeposit } from './small-deposit';

/** They lead on, for there is nothing to show; a link that was used is not there. */
const SHOW_NOTHING =
  /^GET \/panel(?:|\/answer|\/sign-in|\/sign-in\/code|\/invitation|\/email|\/sign-up(?:|\/confirm)|\/account\/second-factor\/[\w-]+)$/;

/** One of each thing that a page is about: the operator's own where it is one of the operator's own pages. */
export async function idsOf(world: OrderWorld, operator: string, user: string): Promise<Record<'own' | 'of', Ids>> {
  const idIn = async (table: string, where = 'true', ...values: unknown[]) => {
    const [row] = await world.query(`select id from ${table} where ${where} order by id limit 1`, values);
    return String(row!['id']);
  };
  const of = async (id: string): Promise<Ids> => ({
    order: await idIn('delegations', 'user_id = $1', id),
    token: await idIn('api_tokens', 'user_id = $1', id),
  });
  const [finding] = await world.query(
    `insert into findings (kind, subject, subject_type, subject_id, reason, next_step, amount_sun)
     values ('shortage', 'x', 'order', 'x', 'stake is missing', 'look', 5) returning id`,
  );
  await insertDepositAddress(world, user);
  const all = {
    user,
    wallet: await idIn('pool_wallets', `name = 'pool'`),
    subscription: await insertSubscription(world.app.orm, user, 3),
    finding: String(finding!['id']),
    deposit: await insertSmallDeposit(world, user),
  };
  const webhook = await idIn('webhooks', 'user_id = $1', operator);
  const delivery = await idIn('webhook_deliveries', 'webhook_id = $1', webhook);
  return { own: { ...(await of(operator)), webhook, delivery }, of: { ...(await of(user)), ...all } };
}

/** Every page and file of the panel that shows something to an operator, by name. */
export async function openEveryPage(client: PanelClient, ids: Record<'own' | 'of', Ids>) {
  const opened: [string, PanelAnswer][] = [];
  const isShown = ({ method, named: [first], name }: (typeof PANEL)[number]) =>
    method === 'GET' && first !== 'any' && !SHOW_NOTHING.test(name);
  for (const { name, access, path } of PANEL.filter(isShown)) {
    const query = /\/(?:drain|resume)$/.test(name) ? '?name=pool' : '';
    opened.push([name, await client.get(path(access === 'operator' ? ids.of : ids.own) + query)]);
  }
  return opened;
}
