import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfiguration } from '../../../../config/load-configuration';
import { ChainReads } from '../../../../src/chain/tron/node/chain-reads';
import { NodeConnections } from '../../../../src/chain/tron/node/node-connections';
import { postJson } from '../../../../src/chain/tron/node/node-http';
import { NodeTimes } from '../../../../src/chain/tron/node/node-times';
import { NodePool, type NodeKind } from '../../../../src/chain/tron/node/node-pool';
import { Clock } from '../../../../src/common/clock';
import { CrashPoints } from '../../../../src/common/crash-points';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

describe('a node that serves fifty connections', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 1000, env: { DELEGATION_ANSWER: 'accepted' } });
  });
  afterAll(() => world.close());

  it('answers 300 questions that are asked in the same turn', async () => {
    const reads = world.app.app.get(ChainReads);
    const receiver = await world.receiver();
    const states = await Promise.allSettled(Array.from({ length: 300 }, () => reads.receiverState(receiver)));
    expect(states.filter((state) => state.status === 'rejected')).toEqual([]);
  });

  it('carries out 150 orders that come at the same moment', async () => {
    const callers = await Promise.all(Array.from({ length: 30 }, () => world.caller()));
    const receivers = await Promise.all(Array.from({ length: 150 }, () => world.receiver()));
    const answers = await Promise.all(
      receivers.map((receiver, at) =>
        world.delegate(callers[at % callers.length]!, { receiver_address: receiver, amount: 1 }),
      ),
    );
    const outcomes = answers.map(({ headers }) => headers.get('x-error-code') ?? 'success');
    expect(outcomes.filter((outcome) => outcome !== 'success')).toEqual([]);
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });
});

describe('the connections of a process to a node', () => {
  let server: Server;
  let url: string;
  let open = 0;
  let most = 0;
  const held: (() => void)[] = [];
  const listen = async (answer: RequestListener) => {
    server = createServer(answer);
    server.on('connection', (socket) => {
      most = Math.max(most, ++open);
      socket.on('close', () => open--);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  it('are counted by host and port, idle ones and both kinds of URLs together', async () => {
    await listen((request, response) => request.resume().on('end', () => held.push(() => response.end('{}'))));
    const configuration = loadConfiguration({ TRON_FULL_NODE_URLS: url, NODE_CONNECTIONS: '3' });
    const connections = new NodeConnections(configuration);
    const [clock, crashPoints] = [new Clock(), new CrashPoints(configuration)];
    const [full, solid] = (['wallet', 'walletsolidity'] as NodeKind[]).map(
      (kind) => new NodePool(kind, [url], undefined, connections, new NodeTimes(clock), clock, crashPoints),
    ) as [NodePool, NodePool];
    const calls = Array.from({ length: 30 }, (_, at) =>
      (at % 2 ? full : solid).post((at % 2 ? full : solid).nodes[0]!, 'getaccount', {}, 10_000),
    );
    await until('three calls arrive', async () => held.length === 3);
    expect(connections.queue(url).waiting).toBe(27);
    let answered = false;
    const all = Promise.all(calls).finally(() => (answered = true));
    await until('all are answered', async () => {
      for (const answer of held.splice(0)) answer();
      return answered;
    });
    expect(await all).toEqual(calls.map(() => ({ kind: 'json', value: {} })));
    expect(most).toBe(3);
  });

  it('are closed after a burst but for ten, for another process may wait for their places', async () => {
    await listen((request, response) => request.resume().on('end', () => held.push(() => response.end('{}'))));
    const { agents } = new NodeConnections(loadConfiguration({ TRON_FULL_NODE_URLS: url }));
    const calls = Array.from({ length: 40 }, () => postJson(`${url}/`, {}, undefined, 10_000, undefined, agents));
    await until('forty calls arrive', async () => held.length === 40);
    for (const answer of held.splice(0)) answer();
    await Promise.all(calls);
    await until('only ten are left', async () => open === 10);
  });
});
