import { Logger } from '@nestjs/common';
import { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import { WitnessSetRepository } from '../../../../src/chain/verified-chain/witnesses/witness-set.repository';
import { Clock } from '../../../../src/common/clock';
import { FindTroubles } from '../../../../src/notices/find-troubles';
import { MovableClock } from '../../../support/movable-clock';
import { nameInstead, strangers } from '../../../support/named-witnesses';
import { NodeProxy } from '../../../support/node-proxy';
import { OrderWorld, type WorldOptions } from '../../../support/order-world';
import type { TestApp } from '../../../support/test-app';
import { until } from '../../../support/until';

const SIX_HOURS_MS = 6 * 3_600_000;
type Active = readonly { readonly address: string; readonly signing_address: string }[];

describe('who makes blocks is proved by blocks', () => {
  let world: OrderWorld;
  let nodes: NodeProxy[];
  const clock = new MovableClock();
  afterEach(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });

  async function open(count: number, options: WorldOptions = {}): Promise<void> {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 100,
      witnesses: 27,
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        nodes = Array.from({ length: count }, () => new NodeProxy(url));
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
      ...options,
    });
    if (options.backgroundWork !== false) await goesOn(1);
  }
  const final = (app: TestApp = world.app) => app.app.get(VerifiedChain).headers?.final?.number ?? 0;
  async function goesOn(blocks = 60, app: TestApp = world.app): Promise<void> {
    const before = final(app);
    await until('blocks become final', () => Promise.resolve(final(app) >= before + blocks));
  }
  const stored = async () => (await world.app.app.get(WitnessSetRepository).find())!;
  const sorted = (witnesses: Active) =>
    witnesses
      .map(({ address, signing_address }) => ({ address, signing_address }))
      .toSorted((a, b) => (a.address < b.address ? -1 : 1));
  const active = async () => sorted((await world.control('witnesses'))['witnesses'] as Active);
  const kinds = () => world.query(`select kind from chain_faults order by kind`);
  const changes = () => world.query(`select number, joined, gone from witness_changes order by id`);
  async function untilNamed(address: string): Promise<void> {
    await until('read again', async () => {
      clock.advance(5 * 60_000);
      return (await stored()).named!.includes(address);
    });
  }
  async function untilKnown(elected: Active): Promise<void> {
    await until(
      'the elected known',
      async () => JSON.stringify((await stored()).witnesses) === JSON.stringify(elected),
    );
  }

  it.each([
    ['the only node', 1],
    ['the second of two, while the first fails at it', 2],
  ])('%s names eight others, and eight more an hour later, and so on: nothing changes', async (_, count) => {
    await open(count);
    const known = await active();
    expect((await stored()).witnesses).toEqual(known);
    const fakes = strangers(24);
    let named = 0;
    nameInstead(nodes.at(-1)!, () => fakes.slice(0, named));
    if (count === 2)
      nodes[0]!.before = ({ route }) => {
        if (route === 'wallet/listwitnesses') throw new Error('away');
      };
    for (named = 8; named <= 24; named += 8) {
      await world.query(`update witness_set set base_at = now() - interval '61 minutes' returning id`);
      await world.control('clock', { ms: SIX_HOURS_MS });
      await untilNamed(fakes[named - 1]!);
      await goesOn();
      expect((await stored()).witnesses).toEqual(known);
      // More than the chain could prove is for an operator to see.
      expect(await kinds()).toEqual(named > 8 ? [{ kind: 'witnesses_changed' }] : []);
    }
    expect(await changes()).toEqual([]);
    expect(
      (await world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 })).status,
    ).toBe(200);
  });

  it('those elected join, by two instances once, while the node that names them fails and the other lies', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    await open(2);
    const second = await world.startInstance();
    const before = (await stored()).witnesses;
    nameInstead(nodes[1]!, () => strangers(8));
    nodes[0]!.before = ({ route }) => {
      if (route === 'wallet/listwitnesses') throw new Error('away');
    };
    await world.control('witnesses', { replace: 3, rotate_keys: 3 });
    const elected = await active();
    await untilKnown(elected);
    for (const app of [world.app, second]) await goesOn(60, app);
    const rows = (await changes()) as { joined: Active[0]; gone: Active[0] }[];
    const isOf = (set: Active, { address, signing_address }: Active[0]) =>
      set.some((one) => one.address === address && one.signing_address === signing_address);
    expect(rows).toHaveLength(6);
    for (const { joined, gone } of rows)
      expect([isOf(elected, joined), isOf(before, joined), isOf(before, gone), isOf(elected, gone)]).toEqual([
        true,
        false,
        true,
        false,
      ]);
    const lines = warn.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('takes the place of'));
    expect(lines).toHaveLength(6);
    warn.mockRestore();
    const told = (await world.app.app.get(FindTroubles).ofService()).filter(({ kind }) => kind === 'witness_changed');
    expect(told.map(({ text }) => text.en).toSorted()).toEqual(lines.toSorted());
    expect(new Set(told.map(({ thing }) => thing)).size).toBe(6);
  });

  it('of 27, eight in a period of block time: who comes ninth waits for the next', async () => {
    await open(1);
    for (const replaced of [4, 4]) {
      await world.control('witnesses', { replace: replaced });
      await untilKnown(await active());
    }
    await world.control('witnesses', { replace: 1 });
    const elected = await active();
    await goesOn(90);
    expect((await stored()).witnesses).not.toEqual(elected);
    expect(await changes()).toHaveLength(8);
    await world.control('clock', { ms: SIX_HOURS_MS });
    await untilKnown(elected);
    await goesOn();
  });

  it('one that signs nothing for six hours goes although one of two nodes goes on naming it; one that both name stays', async () => {
    await open(2);
    const silenced = (await world.control('witnesses', { silent: 2 }))['witnesses'] as {
      address: string;
      silent: boolean;
    }[];
    const [gone, down] = silenced.filter(({ silent }) => silent).map(({ address }) => address);
    nodes[1]!.after = ({ route }, answer) => {
      if (route !== 'wallet/listwitnesses') return answer;
      const { witnesses } = JSON.parse(answer) as { witnesses: { address: string; isJobs?: boolean }[] };
      return JSON.stringify({ witnesses: witnesses.filter(({ address }) => address !== gone) });
    };
    await world.control('clock', { ms: SIX_HOURS_MS });
    await until('the place gone', async () => {
      clock.advance(60_000);
      return (await stored()).witnesses.every(({ address }) => address !== gone);
    });
    await goesOn();
    const { witnesses } = await stored();
    expect([witnesses.length, witnesses.some(({ address }) => address === down)]).toEqual([26, true]);
    expect(await changes()).toMatchObject([{ joined: null, gone: { address: gone } }]);
    expect(await kinds()).toEqual([{ kind: 'witnesses_disagree' }]);
  });

  it('a private net of four exchanges one, which a restart in between does not forget', async () => {
    // No multiple of what the follower waits between two looks: it would see the newest block of the same witness each time.
    await open(1, { block: 130, witnesses: 4, backgroundWork: false });
    const first = await world.startInstance();
    await until('a final block', () => Promise.resolve(final(first) > 0));
    const before = await active();
    expect((await stored()).witnesses).toEqual(before);
    await world.control('witnesses', { replace: 1 });
    await world.stopInstance(first);
    const elected = await active();
    const restarted = await world.startInstance();
    await untilKnown(elected);
    await goesOn(30, restarted);
    // One of four may be missing, and so only one may change: the next one waits.
    await world.control('witnesses', { replace: 1 });
    await goesOn(30, restarted);
    expect((await stored()).witnesses).toEqual(elected);
    await world.control('clock', { ms: SIX_HOURS_MS });
    await untilKnown(await active());
  });
});
