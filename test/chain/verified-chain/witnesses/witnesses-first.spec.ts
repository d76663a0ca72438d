import { Logger } from '@nestjs/common';
import { ChainAdminService } from '../../../../src/admin/chain-admin.service';
import { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import { WitnessSetRepository } from '../../../../src/chain/verified-chain/witnesses/witness-set.repository';
import { Clock } from '../../../../src/common/clock';
import { MovableClock } from '../../../support/movable-clock';
import { type NodeCall, NodeProxy } from '../../../support/node-proxy';
import { type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

/** Leaves out one of those who make blocks. */
const oneLess = ({ route }: NodeCall, answer: string) =>
  route === 'wallet/listwitnesses' ? answer.replace('"isJobs":true', '"isJobs":false') : answer;
const away = () => {
  throw new Error('away');
};

describe('the first witnesses, of two nodes', () => {
  let world: OrderWorld;
  let caller: Caller;
  let nodes: NodeProxy[];
  let clock: MovableClock;
  afterEach(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });

  async function open(prepare: (first: NodeProxy, second: NodeProxy) => void): Promise<void> {
    clock = new MovableClock();
    world = await OrderWorld.open({
      block: 200,
      witnesses: 27,
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        nodes = [new NodeProxy(url), new NodeProxy(url)];
        prepare(nodes[0]!, nodes[1]!);
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    caller = await world.caller();
  }
  const untilFinal = () => until('a final block', () => Promise.resolve((chain().headers?.final?.number ?? 0) > 0));
  const chain = () => world.app.app.get(VerifiedChain);
  const stored = async () => (await world.app.app.get(WitnessSetRepository).find())!;
  const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const ready = async () => (await (await fetch(`${world.app.url}/health/ready`)).json()) as Record<string, unknown>;
  const listed = (proxy: NodeProxy) => proxy.count('wallet/listwitnesses');

  it('are believed while one is silent, and both nodes asked again until the silent one has agreed', async () => {
    await open((_first, second) => (second.before = away));
    await untilFinal();
    expect((await place()).status).toBe(200);
    expect((await stored()).valid_until_ms).toBe(0n);
    nodes[1]!.before = () => undefined;
    await until('agreed', async () => {
      clock.advance(5 * 60_000);
      return (await stored()).valid_until_ms > 0n;
    });
    const readings = nodes.map(listed);
    expect(readings[1]).toBeGreaterThan(0);
    const { number } = chain().headers!.head;
    for (let more = 1; more < 5; more++) {
      clock.advance(6 * 60_000);
      await until('a block', () => Promise.resolve((chain().headers?.head.number ?? 0) >= number + more));
    }
    expect(nodes.map(listed)).toEqual(readings);
    expect((await place()).status).toBe(200);
  });

  it('are believed no longer once the silent one names others, nor is anybody until they agree', async () => {
    await open((first, second) => ([first.after, second.before] = [oneLess, away]));
    await untilFinal();
    expect((await place()).status).toBe(200);
    expect((await stored()).witnesses).toHaveLength(26);
    nodes[1]!.before = () => undefined;
    await until('nobody believed', async () => {
      clock.advance(5 * 60_000);
      return String((await ready())['reason']).includes('do not agree');
    });
    expect((await place()).headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    expect([(await stored()).witnesses.length, (await stored()).offered!.length]).toEqual([26, 27]);
    expect(await world.query(`select kind from chain_faults`)).toEqual([{ kind: 'witnesses_disagree' }]);
    // The liar alone does not decide it.
    const readings = listed(nodes[0]!);
    nodes[1]!.before = away;
    await until('read again', () => {
      clock.advance(16_000);
      return Promise.resolve(listed(nodes[0]!) > readings + 2);
    });
    expect(await ready()).toMatchObject({ status: 'unavailable' });

    nodes[1]!.before = () => undefined;
    nodes[0]!.after = (_call, answer) => answer;
    await until('agreed', async () => {
      clock.advance(16_000);
      return (await ready())['status'] === 'ok';
    });
    expect((await stored()).witnesses).toHaveLength(27);
    expect(await world.query(`select kind from chain_faults`)).toEqual([]);
    expect((await place()).status).toBe(200);
  });

  it('are none when the two disagree, and stay as an operator has accepted them while they go on', async () => {
    await open((_first, second) => (second.after = oneLess));
    await until('the disagreement noticed', async () => {
      clock.advance(16_000);
      return (await world.query(`select kind from chain_faults`)).length > 0;
    });
    expect(await ready()).toMatchObject({ status: 'unavailable' });
    expect([(await stored()).witnesses.length, (await stored()).offered!.length]).toEqual([26, 27]);
    await world.app.app
      .get(ChainAdminService)
      .acceptWitnesses((await stored()).digest!, { id: null, address: '127.0.0.1' });
    await untilFinal();
    // A reading that began before the acceptance is over by now.
    const readings = nodes.map(listed);
    for (let times = 0; times < 5; times++) {
      clock.advance(6 * 60_000);
      const { number } = chain().headers!.head;
      await until('a block', () => Promise.resolve(chain().headers!.head.number > number + 1));
    }
    expect(nodes.map(listed)).toEqual(readings);
    expect(await world.query(`select kind from chain_faults`)).toEqual([]);
    expect((await place()).status).toBe(200);
  });

  it('follow what the chain proves for as long as one is silent, which the log says once a day', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const warnings = () => warn.mock.calls.filter(([text]) => String(text).includes('these name none')).length;
    await open((_first, second) => (second.before = away));
    await untilFinal();
    expect(warnings()).toBe(1);
    const replace = async (count: number) => {
      const { witnesses } = await world.control('witnesses', { replace: count });
      return (witnesses as { address: string }[]).map(({ address }) => address).toSorted();
    };
    const periodMs = 6 * 3_600_000;
    for (const laterMs of [0, 0, periodMs]) {
      await world.control('clock', { ms: laterMs });
      const elected = await replace(4);
      await until('all known', async () => {
        clock.advance(16_000);
        return JSON.stringify((await stored()).witnesses.map(({ address }) => address)) === JSON.stringify(elected);
      });
    }
    expect((await stored()).valid_until_ms).toBe(0n);
    expect((await place()).status).toBe(200);
    expect(warnings()).toBe(1);
    clock.advance(24 * 3_600_000);
    await until('told again', () => Promise.resolve(warnings() === 2));

    await replace(9);
    await until('nobody believed', async () => {
      clock.advance(16_000);
      return (await ready())['status'] === 'unavailable' && (await stored()).offered !== null;
    });
    expect(await world.query(`select kind from chain_faults`)).toEqual([{ kind: 'witnesses_changed' }]);
    warn.mockRestore();
  });
});
