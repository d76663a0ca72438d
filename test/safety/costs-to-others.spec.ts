import { readFileSync } from 'node:fs';
import { v7 as uuid } from 'uuid';
import { InvitationService } from '../../src/auth/invitations/invitation.service';
import { TIME_ZONES } from '../../src/panel/layout/time-zone';
import { DeliveryRepository } from '../../src/webhooks/delivery/delivery.repository';
import { DeliverySlots } from '../../src/webhooks/delivery/delivery-slots';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { countOf, record, timeFor } from '../support/bar';
import { type Caller, OrderWorld } from '../support/order-world';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { PipelinedClient } from '../support/pipelined';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';

const BAR = 23;
const [ZONES, OF_ONE_SESSION] = [2_000, 200];
const PASSWORDS = 200;
const ACTS = 200;
const REMOVED = 100_000;
const [CONNECTIONS, REQUESTS] = [40, 2_000];

/** For a call of another customer, on a machine that does other things too; some tens of milliseconds on a quiet one. */
const MOST_WAIT_MS = 5_000;
/** Each kind of leak came to gigabytes. */
const MOST_GROWTH_MB = 100;
/** Rubbish that waits to be collected is not a leak: there is little room for it. */
const SMALL_HEAP = '--max-semi-space-size=2 --max-old-space-size=160';
const LEAST_ASKED = 20;
/** So many does the panel allow in a minute (docs/webhooks.md). A test that lasts longer has as many again. */
const [TESTS_A_MINUTE, MINUTE_MS] = [10, 60_000];

describe('acts of a stranger or a customer cost others', () => {
  let world: OrderWorld;
  let service: ServiceChild;
  let other: Caller;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    world = await OrderWorld.open({ env: { WEBHOOK_ALLOW_PRIVATE: 'on' }, backgroundWork: false });
    service = await world.startProcess({ RATE_LIMIT_PER_MINUTE: '1000000', NODE_OPTIONS: SMALL_HEAP });
    other = await world.caller();
    // The first calls load modules, and leave garbage: neither belongs to an attack.
    for (let asked = 0; asked < ACTS; asked++) await ask();
  });
  afterAll(async () => {
    await world?.close();
    receiver?.close();
  });

  /** Another customer's call. */
  async function ask(): Promise<number> {
    const startedMs = performance.now();
    const answer = await fetch(`${service.url}/api/user/token`, {
      headers: { authorization: `Bearer ${other.token}` },
    });
    await answer.text();
    expect(answer.status).toBe(200);
    return performance.now() - startedMs;
  }

  /** How long others wait meanwhile, and what the process grows by. */
  async function costs(attack: () => Promise<unknown>): Promise<string> {
    const beforeMb = residentMb(service);
    let isOver = false;
    const attacked = attack().finally(() => (isOver = true));
    const waits: number[] = [];
    while (!isOver || waits.length < LEAST_ASKED) waits.push(await ask());
    await attacked;
    const [slowest, growth] = [Math.round(Math.max(...waits)), Math.round(residentMb(service) - beforeMb)];
    expect(slowest).toBeLessThan(MOST_WAIT_MS);
    expect(growth).toBeLessThan(MOST_GROWTH_MB);
    return `others wait ${slowest} ms at most, the process grows by ${Math.max(0, growth)} MB`;
  }

  async function signedIn(): Promise<{ client: PanelClient; id: string; csrf: (page: string) => Promise<string> }> {
    const user = await insertPanelUser(world.app);
    const client = new PanelClient(service.url);
    await client.signIn(user.email, user.password);
    const csrf = async (page: string) => /name="_csrf" value="([^"]+)"/.exec((await client.get(page)).text)![1]!;
    return { client, id: user.id, csrf };
  }

  const zones = countOf(ZONES, 100);
  it(
    'no time by time zones in odd capitals: each is refused, so that none can be kept',
    async () => {
      let [next, refused] = [0, 0];
      const save = async (last: number) => {
        while (next < last) {
          const { client, csrf } = await signedIn();
          const _csrf = await csrf('/panel/account');
          for (const end = Math.min(last, next + OF_ONE_SESSION); next < end; next++) {
            const form = { _csrf, time_zone: oddZone(next), language: '' };
            refused += Number((await client.post('/panel/account/preferences', form)).status === 400);
          }
        }
      };
      // Signing in and pages load modules once: that is not a leak.
      await save(zones / 4);
      const seen = await costs(() => save(zones));
      expect(refused).toBe(zones);
      record(BAR, 'time zones in odd capitals', zones, ZONES, `time zones: each is refused, ${seen}`);
    },
    timeFor(zones, 200),
  );

  const passwords = countOf(PASSWORDS, 30);
  it(
    'no time by passwords that are refused at one invitation: ten are judged in five minutes',
    async () => {
      const { email } = await insertPanelUser(world.app);
      const { pathname, search } = new URL((await world.app.app.get(InvitationService).invite(email)).url);
      const stranger = new PanelClient(service.url);
      const _csrf = /name="_csrf" value="([^"]+)"/.exec((await stranger.get(pathname + search)).text)![1]!;
      let statuses: number[] = [];
      const seen = await costs(async () => {
        const password = 'passwordpassword';
        const form = { _csrf, password, again: password };
        const tries = Array.from({ length: passwords }, () => stranger.post(pathname + search, form));
        statuses = (await Promise.all(tries)).map(({ status }) => status);
      });
      const judged = statuses.filter((status) => status === 422).length;
      expect([judged, statuses.filter((status) => status === 429).length]).toEqual([10, passwords - 10]);
      record(BAR, 'refused passwords at one invitation', passwords, PASSWORDS, `invitations: ${seen}, 10 are judged`);
    },
    timeFor(passwords, 1_000),
  );

  const acts = countOf(ACTS, 40);
  it(
    'no host more than a few calls a minute by tests of a webhook and by a threshold that is moved',
    async () => {
      const { client, id, csrf } = await signedIn();
      await world.query('update accounts set balance_sun = 0 where user_id = $1 returning 1', [id]);
      const path = `/${uuid()}`;
      const { webhook } = await world.app.app.get(WebhookService).create({ userId: id, url: receiver.url(path) });
      const page = `/panel/webhooks/${webhook.id}`;
      const beganMs = performance.now();
      const seen = await costs(async () => {
        const tests = { _csrf: await csrf(page) };
        for (let act = 0; act < acts / 2; act++) await client.post(`${page}/test`, tests);
        const form = await csrf('/panel/balance');
        for (let act = 0; act < acts / 2; act++)
          await client.post('/panel/balance/low-balance', { _csrf: form, low_balance: String(1 + act) });
      });
      // Counts calls that are sent, or due within ten minutes: a call that has not arrived yet costs its host as much.
      const calls = async (event: string) =>
        (
          await world.query(
            `select 1 from webhook_deliveries d where webhook_id = $1 and event = $2 and coalesce(next_at, created_at) <
               (select min(created_at) from webhook_deliveries where webhook_id = $1 and event = $2) + interval '10 minutes'`,
            [webhook.id, event],
          )
        ).length;
      await until('balance.low', async () => (await calls('balance.low')) > 0);
      const minutes = 1 + Math.floor((performance.now() - beganMs) / MINUTE_MS);
      const [tested, low] = [await calls('webhook.test'), await calls('balance.low')];
      expect(tested).toBeGreaterThan(0);
      expect(tested).toBeLessThanOrEqual(TESTS_A_MINUTE * minutes);
      expect(low).toBe(1);
      const sent = `${tested} tests and ${low} balance.low are sent or due within ten minutes`;
      record(BAR, 'tests of a webhook and thresholds', acts, ACTS, `webhooks: ${seen}, ${sent}`);
    },
    timeFor(acts, 1_000),
  );

  const removed = countOf(REMOVED, 2_000);
  it(
    'no time by webhooks that were slow and are removed: no claim names them',
    async () => {
      const deliveries = world.app.app.get(DeliveryRepository);
      const slots = new DeliverySlots();
      for (let n = 0; n < removed; n++) {
        slots.end(slots.begin({ webhookId: uuid(), isFailing: false } as never), MINUTE_MS);
      }
      expect(slots.slowIds).toHaveLength(removed);
      await slots.forgetIdle(deliveries);
      expect(slots.slowIds).toEqual([]);
      const startedMs = performance.now();
      await deliveries.claim(slots.claimParams([]));
      const claimMs = Math.round(performance.now() - startedMs);
      expect(claimMs).toBeLessThan(MOST_WAIT_MS);
      record(
        BAR,
        'removed webhooks',
        removed,
        REMOVED,
        `removed webhooks: none remembered, a claim takes ${claimMs} ms`,
      );
    },
    timeFor(removed, 5),
  );

  const connections = countOf(CONNECTIONS, 10);
  it(
    'no memory by answers that stay unread',
    async () => {
      const path = Array<string>(REQUESTS).fill('/panel/sign-in');
      const { port } = new URL(service.url);
      const strangers: PipelinedClient[] = [];
      const seen = await costs(async () => {
        for (let n = 0; n < connections; n++) strangers.push(PipelinedClient.deaf(Number(port)).send(...path));
        for (let asked = 0; asked < ACTS; asked++) await ask();
      });
      for (const { socket } of strangers) socket.destroy();
      const [done, of] = [connections * REQUESTS, CONNECTIONS * REQUESTS];
      record(BAR, 'requests whose answers stay unread', done, of, `unread answers: ${seen}`);
    },
    timeFor(connections, 1_000),
  );
});

/** A name of the list in capitals and small letters that the list does not have. */
function oddZone(n: number): string {
  const zone = TIME_ZONES[n % TIME_ZONES.length]!;
  const mixed = [...zone]
    .map((letter, at) => ((n >> (at % 12)) & 1 ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
  return mixed === zone ? mixed.toLowerCase() : mixed;
}

function residentMb({ process: { pid } }: ServiceChild): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
