import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { statement } from '../../src/database/statement';
import { RefusedAttempts } from '../../src/reporting/refusals/refused-attempts';
import { WebhookDeliveries } from '../../src/webhooks/webhook-deliveries';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { insertSubscription, insertUser } from '../support/factories';
import type { OrderWorld } from '../support/order-world';
import type { WebhookReceiver } from '../support/webhook-receiver';

/** Customers beside the one who signs in, and orders of each on an ordinary day. */
const CUSTOMERS = [
  ['payments@lotus-exchange.example', 210],
  ['ops@harbor-wallet.example', 130],
  ['energy@quickpay.example', 75],
  ['dev@paper-plane.example', 24],
] as const;
/** What some of them have out at this moment, in transactions. */
const LENT_NOW = [260, 140, 45] as const;
const OWN_A_DAY = 40;

export interface ShownBusiness {
  /** Of the customer who signs in. */
  readonly order: string;
  readonly webhook: string;
  /** Of the webhook. */
  readonly delivery: string;
  readonly token: string;
  readonly subscription: string;
}

/** Something to see on every page, as a service of some weeks has it. */
export async function fillBusiness(
  world: OrderWorld,
  receiver: WebhookReceiver,
  userId: string,
): Promise<ShownBusiness> {
  const tokens = world.app.app.get(ApiTokenService);
  const make = (name: string, expiresInDays?: number) =>
    tokens.create({ userId, name, permissions: ['delegate', 'balance'], expiresInDays });
  const { token } = await make('shop');
  const { row } = await make('<b>"till" & 收银机</b>', 30);
  await tokens.revoke((await make('old machine')).row.id);
  const caller = { id: userId, token };
  const webhook = await fillWebhook(world, receiver, userId);
  const answers = [];
  for (const amount of [1, 2, 1.5]) {
    answers.push(await world.delegate(caller, { receiver_address: await world.receiver(), amount }));
  }
  await refuse(world, caller);
  const others = await fillCustomers(world);
  await fillPastDays(world, [userId, ...others], [OWN_A_DAY, ...CUSTOMERS.map(([, orders]) => orders)]);
  const order = answers[0]!.headers.get('x-delegation-id')!;
  for (const { headers } of answers) await world.untilState(headers.get('x-delegation-id')!, 'delegated');
  await world.untilRow(
    `select 1 having not exists (select from webhook_deliveries where state = 'pending')
       and (select count(*) from webhook_deliveries where event = 'delegation.delegated') = ${answers.length}`,
  );
  await run(world, `update webhooks set url = 'https://shop.example/hooks/energy' where id = $1`, webhook);
  const subscription = await insertSubscription(world.app.orm, others[0]!, 500);
  const [delivery] = await world.query('select id from webhook_deliveries where webhook_id = $1 limit 1', [webhook]);
  return { order, webhook, delivery: String(delivery!['id']), token: row.id, subscription };
}

/** Orders that never were: a wrong body, more than the balance has, a receiver that does not exist. */
async function refuse(world: OrderWorld, caller: { id: string; token: string }): Promise<void> {
  await world.delegate(caller, { receiver_address: 'T', amount: 0 });
  for (let n = 0; n < 3; n += 1) {
    await world.delegate(caller, { receiver_address: await world.receiver(), amount: 10_000 });
  }
  await world.delegate(caller, { receiver_address: await world.receiver(false), amount: 1 });
  await world.app.app.get(RefusedAttempts).flush();
}

async function fillCustomers(world: OrderWorld): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, [email]] of CUSTOMERS.entries()) {
    const id = await insertUser(world.app.orm, { email, balance: 2_500 - 600 * index });
    ids.push(id);
    const amount = LENT_NOW[index];
    if (amount === undefined) continue;
    const answer = await world.delegate(await world.tokenOf(id), { receiver_address: await world.receiver(), amount });
    if (answer.status !== 200) throw new Error(`The order of ${email} was answered with ${answer.text}`);
  }
  return ids;
}

/** Days that were closed long ago: busier by the week, quiet at weekends, one of thirty orders failed. */
async function fillPastDays(world: OrderWorld, userIds: readonly string[], aDay: readonly number[]): Promise<void> {
  await world.app.sql.execute(
    statement<[userIds: readonly string[], aDay: readonly number[]]>(
      'test_every_page_days',
      `with days as (
         insert into closed_order_days (day)
         select ((now() at time zone 'utc')::date - n) from generate_series(1, 40) n returning day
       ), counted as (
         select day, user_id, payer, (a_day * case payer when 'balance' then 0.8 else 0.2 end
                  * case when extract(isodow from day) > 5 then 0.55 else 1 end
                  * (1 - ((now() at time zone 'utc')::date - day) * 0.011)
                  * (1 + 0.12 * sin(extract(doy from day)::float8 * a_day)))::bigint + 1 as orders
           from days, unnest($1::uuid[], $2::integer[]) c (user_id, a_day), unnest(array['balance', 'subscription']) payer
       )
       insert into order_days (day, user_id, paid_by, orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun)
       select day, user_id, payer, orders, orders - orders / 30, orders / 30,
              case payer when 'balance' then (orders - orders / 30) * 3000000 else 0 end, (orders - orders / 30) * 65000,
              orders - orders / 30, orders / 40, orders / 40 * 1000000
         from counted`,
    ),
    [userIds, aDay],
  );
  await fillStake(world);
  await world.app.sql.execute(
    statement<[userIds: readonly string[]]>(
      'test_every_page_refused_days',
      `insert into refused_attempt_days (day, user_id, code, attempts)
       select (now() at time zone 'utc')::date - n, user_id, code, 1 + (n * 7 + length(code) + place) % 6
         from generate_series(1, 40) n, unnest($1::uuid[]) with ordinality u (user_id, place),
              unnest(array['INSUFFICIENT_BALANCE', 'RECEIVER_NOT_ACTIVATED', 'VALIDATION_FAILED', 'INSUFFICIENT_ENERGY']) code
        where (n + place + length(code)) % 3 = 0`,
    ),
    [userIds],
  );
}

/** What these days have brought each wallet, and when in the day it was ordered: most in the afternoon. */
async function fillStake({ app }: OrderWorld): Promise<void> {
  const days =
    "generate_series((now() at time zone 'utc')::date - 40, (now() at time zone 'utc')::date - 1, interval '1 day') day";
  for (const [name, text] of [
    ['since', `update pool_wallets set created_at = now() - interval '60 days'`],
    [
      'wallets',
      `insert into wallet_days (day, wallet_id, staked_sun, orders, charged_sun, paid_energy, quota_energy, sold_sun, lent_sun)
       select day, id, stake_sun, 40, 120000000, 2600000, 65000, 0, stake_sun / 6 from pool_wallets, ${days} where role = 'delegate'`,
    ],
    [
      'rewards',
      `insert into stake_rewards (wallet_id, day, claimed_sun)
       select id, day, stake_sun / 10000 from pool_wallets, ${days} where role = 'delegate' and stake_sun > 10000`,
    ],
    [
      'hours',
      `insert into demand_hours (at, orders, energy)
       select (day + hour * interval '1 hour') at time zone 'utc', 2, 65000 * (1 + round(20 * sin(hour * pi() / 24) ^ 4) + (extract(isodow from day)::integer % 5))
         from ${days}, generate_series(0, 23) hour`,
    ],
  ] as const)
    await app.sql.execute(statement(`test_every_page_stake_${name}`, text));
}

/** One that takes everything, with what it was sent. Returns its id. */
async function fillWebhook(world: OrderWorld, receiver: WebhookReceiver, userId: string): Promise<string> {
  const webhooks = world.app.app.get(WebhookService);
  const { webhook } = await webhooks.create({ userId, url: receiver.url('/hooks/energy') });
  await world.app.app.get(WebhookDeliveries).test(webhook.id);
  return webhook.id;
}

async function run(world: OrderWorld, text: string, id: string): Promise<void> {
  await world.app.sql.execute(statement<[id: string]>('test_every_page', text), [id]);
}
