import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DroppedMail, droppedMails } from '../../src/common/telemetry-channels';
import { Switches } from '../../src/chain/pool/switches/switches';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { MetricsEndpoint } from '../../src/telemetry/metrics/metrics.endpoint';
import { MetricsRegistry } from '../../src/telemetry/metrics/metrics.registry';
import { EventOutbox } from '../../src/webhooks/event-outbox';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { OrderWorld } from '../support/order-world';
import { createTestApp } from '../support/test-app';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';

const DEPLOY = join(__dirname, '..', '..', 'deploy');
const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');

/** The value of one series; null when it is not there. */
function value(text: string, series: string): number | null {
  const line = text.split('\n').find((found) => found.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length));
}

const rulesAndPanels = () =>
  read('prometheus/alerts.yml') + read('grafana/energy-delegation.dashboard.json').replaceAll('\\"', '"');

const GIVEN_BY_PROMETHEUS = ['instance', 'job'];

function used(text: string): string[] {
  return text.match(/\b(?:energy|nodejs|process)_[a-z0-9_]+/g) ?? [];
}

describe('metrics', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ env: { METRICS_PORT: '0', WEBHOOK_ALLOW_PRIVATE: 'on' } });
  });
  afterAll(() => world.close());

  const metrics = async () => (await fetch(world.app.app.get(MetricsEndpoint).url!)).text();

  it('count mails that are dropped, from the start on', async () => {
    droppedMails.publish({ reason: 'network' } satisfies DroppedMail);
    expect(value(await metrics(), 'energy_mails_dropped_total{reason="network"}')).toBe(1);
  });

  it('show orders, holds, energy, the pool, nodes and the follower', async () => {
    const caller = await world.caller({ balance: 10 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const answer = await world.delegate(caller, body);
    expect(answer.status).toBe(200);
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
    expect((await world.delegate(caller, { ...body, amount: 100 })).status).toBe(501);

    const text = await until('a fresh reading', async () => {
      const found = await metrics();
      return value(found, 'energy_lent_energy') === 65_000 && found;
    });
    const route = 'route="/api/chain/delegate-resource"';
    expect(value(text, `energy_http_request_duration_seconds_count{${route},method="POST",status="200"}`)).toBe(1);
    expect(value(text, `energy_http_failures_total{${route},code="INSUFFICIENT_BALANCE"}`)).toBe(1);
    expect(value(text, 'energy_orders{state="delegated",answer="success"}')).toBe(1);
    expect(value(text, 'energy_holds')).toBe(0);
    expect(value(text, 'energy_reclaims_due')).toBe(0);
    expect(value(text, 'energy_pool_wallet_state{wallet="pool",role="delegate",state="active"}')).toBe(1);
    expect(value(text, 'energy_pool_stake_sun{wallet="pool",role="delegate"}')).toBe(10_000_000e6);
    const node = `node="${new URL(world.chain.url).host}",kind="wallet",route="broadcasttransaction"`;
    expect(value(text, `energy_node_calls_total{${node}}`)).toBe(1);
    expect(value(text, 'energy_follower_lag_seconds')).toBeLessThan(30);
  });

  it('show when the reconciler last came to the end of a run, and nothing before its first', async () => {
    const last = 'energy_reconciler_last_success_timestamp_seconds';
    const interval = 'energy_reconciler_interval_seconds';
    await until('a reading', async () => value(await metrics(), interval) === 600);
    expect(value(await metrics(), last)).toBeNull();
    const beforeS = Date.now() / 1000 - 1;
    await world.app.app.get(Reconciler).run();
    await until('the success', async () => (value(await metrics(), last) ?? 0) >= beforeS);
  });

  it('show what came of deliveries, how old the oldest is, and whose fault that is', async () => {
    const receiver = await WebhookReceiver.open();
    receiver.answerStatus('/refuses', 500);
    const webhooks = world.app.app.get(WebhookService);
    const { id: userId } = await world.caller();
    for (const path of ['/takes', '/refuses']) await webhooks.create({ userId, url: receiver.url(path) });
    const event = { userId, event: 'delegation.failed', timestamp: '', data: {} } as const;
    await world.app.sql.transaction((tx) => world.app.app.get(EventOutbox).write(tx, [event]));
    await until('counted', async () => {
      const found = await metrics();
      return ['delivered', 'refused'].every(
        (result) => (value(found, `energy_webhook_attempts_total{result="${result}"}`) ?? 0) >= 1,
      );
    });
    await world.query(`update webhook_deliveries set created_at = created_at - interval '1 hour' returning id`);
    const text = await until('a fresh reading', async () => {
      const found = await metrics();
      return Number(value(found, 'energy_webhook_oldest_undelivered_seconds')) > 3_600 && found;
    });
    expect(value(text, 'energy_webhook_deliveries_pending')).toBe(1);
    expect(value(text, 'energy_webhook_lag_seconds')).toBe(0);
    expect(value(text, 'energy_webhooks{state="active"}')).toBe(1);
    expect(value(text, 'energy_webhooks{state="failing"}')).toBe(1);
    receiver.close();
  });

  it('show what is paused or restored, and how long what is due has waited', async () => {
    const caller = await world.caller({ balance: 10 });
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    const switches = world.app.app.get(Switches);
    const stops = async () => {
      const text = await metrics();
      return ['energy_orders_paused', 'energy_reclaims_paused', 'energy_database_restored'].map((name) =>
        value(text, name),
      );
    };
    const untilStops = (...expected: number[]) =>
      until(`${expected.join()} as what is stopped`, async () => (await stops()).join() === expected.join());
    await switches.pause('reclaims', null);
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 hour' where id = $1 returning id`, [
      id,
    ]);
    await untilStops(0, 1, 0);
    const text = await metrics();
    expect(value(text, 'energy_reclaims_due')).toBe(1);
    expect(value(text, 'energy_due_energy')).toBe(65_000);
    expect(value(text, 'energy_sweeper_lag_seconds')).toBeGreaterThanOrEqual(3_600);
    await switches.pause('orders', null);
    await world.query('update database_identity set database_oid = database_oid + 1 returning id');
    await switches.resume('reclaims');
    await untilStops(1, 0, 1);
    await world.query('update database_identity set database_oid = database_oid - 1 returning id');
    await switches.resume('orders');
  });

  it('have every name and every label that the alerts and the dashboard use, as they are scraped', async () => {
    const types = [...(await metrics()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
    const known = new Set(
      types.flatMap(([, name, type]) =>
        (type === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']).map((s) => name! + s),
      ),
    );
    const rules = used(read('prometheus/alerts.yml'));
    const panels = used(read('grafana/energy-delegation.dashboard.json'));
    expect(rules.length).toBeGreaterThan(15);
    expect(panels.length).toBeGreaterThan(30);
    expect([...new Set([...rules, ...panels])].filter((name) => !known.has(name))).toEqual([]);

    const registry = world.app.app.get(MetricsRegistry);
    const labelsOf = (name: string) => {
      const metric =
        registry.getSingleMetric(name) ?? registry.getSingleMetric(name.replace(/_(bucket|count|sum)$/, ''));
      return (metric as unknown as { labelNames: string[] }).labelNames;
    };
    const selectors = [...rulesAndPanels().matchAll(/\b((?:energy|nodejs|process)_\w+)\{([^}]*)\}/g)];
    expect(selectors.length).toBeGreaterThan(10);
    for (const [selector, name, matchers] of selectors) {
      const labels = [...matchers!.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!);
      const unknown = labels.filter(
        (label) => !GIVEN_BY_PROMETHEUS.includes(label) && !labelsOf(name!).includes(label),
      );
      expect([selector, unknown]).toEqual([selector, []]);
    }
  });

  it('have an alert test for each alert', () => {
    const tests = read('prometheus/alerts.test.yml');
    const alerts = [...read('prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
    expect(alerts.filter((name) => !tests.includes(`alertname: ${name}\n`))).toEqual([]);
  });

  it('have an alert for each finding of trouble, explained in docs/operations.md', () => {
    const alerts = [...read('prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
    const manual = readFileSync(join(DEPLOY, '..', 'docs', 'operations.md'), 'utf8');
    expect(alerts.filter((name) => !manual.includes(name))).toEqual([]);
  });
});

describe('the metrics of an instance', () => {
  it('are nowhere unless they are asked for', async () => {
    const service = await createTestApp();
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    expect(service.app.get(MetricsEndpoint).url).toBeNull();
    await service.close();
  });

  it('are on the API port for the token alone', async () => {
    const service = await createTestApp({ env: { METRICS_TOKEN: 'a-token-of-metrics' } });
    const ask = (authorization?: string) =>
      fetch(`${service.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });
    expect([(await ask()).status, (await ask('Bearer another')).status]).toEqual([404, 404]);
    const answer = await ask('Bearer a-token-of-metrics');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await answer.text()).toContain('energy_holds ');
    await service.close();
  });

  it('on a port of their own ask for the token too when there is one', async () => {
    const service = await createTestApp({ env: { METRICS_PORT: '0', METRICS_TOKEN: 'a-token-of-metrics' } });
    const { url } = service.app.get(MetricsEndpoint);
    expect((await fetch(url!)).status).toBe(401);
    const headers = { authorization: 'Bearer a-token-of-metrics' };
    const answer = await fetch(url!, { headers });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await fetch(`${service.url}/metrics`, { headers })).status).toBe(404);
    await service.close();
  });
});
