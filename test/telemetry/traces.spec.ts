import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { OrderWorld } from '../support/order-world';
import { until } from '../support/until';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

interface Batch {
  readonly resourceSpans: { readonly scopeSpans: { readonly spans: Span[] }[] }[];
}

describe('traces', () => {
  let world: OrderWorld;
  let collector: Server;
  const spans: Span[] = [];

  beforeAll(async () => {
    collector = createServer((request, response) => {
      void json(request).then((batch) => {
        spans.push(
          ...(batch as Batch).resourceSpans.flatMap((resource) => resource.scopeSpans).flatMap((scope) => scope.spans),
        );
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
    const { port } = collector.address() as AddressInfo;
    world = await OrderWorld.open({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } });
  });
  afterAll(async () => {
    await world.close();
    collector.close();
  });

  it('go from the request through the node to the solid block, as one', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    const caller = await world.caller({ balance: 10 });
    // The first order reads the pool.
    await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }, headers);
    expect(answer.status).toBe(200);
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');

    const names = ['POST /api/chain/delegate-resource', 'wallet/broadcasttransaction', 'order until final'];
    const trace = await until('the whole trace', async () => {
      const own = spans.filter((span) => span.traceId === traceId);
      return names.every((name) => own.some((span) => span.name === name)) && own;
    });
    const request = trace.find(({ name }) => name === names[0])!;
    expect(request.parentSpanId).toBe('b7ad6b7169203331');
    for (const name of names.slice(1)) {
      expect(trace.find((span) => span.name === name)!.parentSpanId).toBe(request.spanId);
    }
    expect(trace.filter(({ name }) => name.startsWith('wallet'))).toHaveLength(2);
  });

  it('are named by routes, never by what a stranger asks for', async () => {
    const paths = [`/${'unheard-of'.repeat(100)}`, '/api/chain/delegations/unheard-of', '/health/live'];
    for (const path of paths) await fetch(`${world.app.url}${path}`);
    const nameOf = (path: string) =>
      spans.find(({ attributes }) =>
        attributes.some(({ key, value }) => key === 'url.path' && value.stringValue === path.slice(0, 200)),
      )?.name;
    await until('all of them', async () => paths.every((path) => nameOf(path) !== undefined));
    expect(paths.map(nameOf)).toEqual(['GET', 'GET /api/chain/delegations/:id', 'GET /health/live']);
  });
});
