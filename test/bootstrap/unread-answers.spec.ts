import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { descriptorLimit } from '../../src/common/http/descriptor-limit';
import { MetricsEndpoint } from '../../src/telemetry/metrics/metrics.endpoint';
import { OrderWorld } from '../support/order-world';
import { PipelinedClient } from '../support/pipelined';
import { until } from '../support/until';

const SOCKETS = 40;
const REQUESTS = 2_000;
const ASKED = 200;
const MOST_GROWTH_MB = 100;
/** A fifth of a second on a quiet machine; 26 s when every request is taken. */
const MOST_WAIT_MS = 5_000;
const LINES_OF_A_KIND = 20;
const NOTICED = '"reason":"too many requests before their answers"';
const MANY = Array<string>(REQUESTS).fill('/panel/sign-in');

describe('pipelined requests of strangers who read no answer', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ backgroundWork: false });
  });
  afterAll(() => world.close());

  it('cost the service no memory, and no other caller the answer', async () => {
    const service = await world.startProcess({ LOG_LEVEL: 'warn' });
    const { port, href } = new URL('/panel/sign-in', service.url);
    const ask = async () => {
      const startedMs = performance.now();
      await (await fetch(href)).text();
      return performance.now() - startedMs;
    };
    // What the first pages load, and what pages leave until memory is next tidied up, is not what strangers cost.
    for (let asked = 0; asked < ASKED; asked++) await ask();
    const beforeMb = residentMb(service.process.pid!);
    const strangers = Array.from({ length: SOCKETS }, () => PipelinedClient.deaf(Number(port)).send(...MANY));
    for (let asked = 0; asked < ASKED; asked++) {
      expect(await ask()).toBeLessThan(MOST_WAIT_MS);
      expect(residentMb(service.process.pid!) - beforeMb).toBeLessThan(MOST_GROWTH_MB);
    }
    // Ten answers are few enough for the system to keep: a stranger who reads at last finds these, and the end.
    for (const { socket } of strangers) socket.resume();
    await Promise.all(strangers.map(({ closed }) => closed));
    // The log has twenty lines a minute of one kind.
    await until('the log says so', async () => service.stdout.split(NOTICED).length === 1 + LINES_OF_A_KIND);
  });

  it('find the same bounds on every server of the process', async () => {
    const { app } = await world.startInstance({ METRICS_PORT: '0' });
    const api: Server = app.getHttpServer();
    expect(api.maxConnections).toBeLessThan(descriptorLimit());
    expect(api.headersTimeout).toBeLessThanOrEqual(api.requestTimeout);
    const metrics = PipelinedClient.to(Number(new URL(app.get(MetricsEndpoint).url!).port));
    await metrics.send(...MANY).closed;
    expect(metrics.text.match(/HTTP\/1.1 404/g)).toHaveLength(10);
  });
});

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
