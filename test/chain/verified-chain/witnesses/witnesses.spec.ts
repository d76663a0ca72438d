import { ChainAdminService } from '../../../../src/admin/chain-admin.service';
import { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import { WitnessSetRepository } from '../../../../src/chain/verified-chain/witnesses/witness-set.repository';
import { Clock } from '../../../../src/common/clock';
import { BlockReads } from '../../../../src/chain/tron/node/block-reads';
import { nodeFaults, type NodeFault } from '../../../../src/common/telemetry-channels';
import { ChainAlarmsSchedule } from '../../../../src/reconciliation/alarms/chain-alarms.schedule';
import { MovableClock } from '../../../support/movable-clock';
import { NodeProxy } from '../../../support/node-proxy';
import { OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

interface Active {
  readonly address: string;
  readonly signing_address: string;
}

describe('the witnesses whose signatures are believed', () => {
  let world: OrderWorld;
  let nodes: NodeProxy[];
  let clock: MovableClock;
  beforeEach(async () => {
    clock = new MovableClock();
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      witnesses: 27,
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        nodes = [new NodeProxy(url), new NodeProxy(url)];
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    await until('a final block', () => Promise.resolve((chain().headers?.final?.number ?? 0) > 0));
  });
  afterEach(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });

  const chain = () => world.app.app.get(VerifiedChain);
  const stored = () => world.app.app.get(WitnessSetRepository).find();
  const active = async () => (await world.control('witnesses'))['witnesses'] as Active[];
  const sorted = (witnesses: readonly Active[]) =>
    witnesses
      .map(({ address, signing_address }) => ({ address, signing_address }))
      .toSorted((a, b) => (a.address < b.address ? -1 : 1));
  const kinds = async () => (await world.query(`select kind from chain_faults`)).map(({ kind }) => kind);

  it('are the active ones with their signing keys, which are not always their own', async () => {
    const { witnesses } = (await stored())!;
    expect(witnesses).toEqual(sorted(await active()));
    expect(witnesses.filter(({ address, signing_address: signer }) => address !== signer).length).toBeGreaterThan(5);
  });

  it('follow up to eight that are newly elected, or sign with other keys, in the middle of a period', async () => {
    await world.control('witnesses', { replace: 4, rotate_keys: 4 });
    const elected = sorted(await active());
    await until('all known', async () => {
      clock.advance(16_000);
      return JSON.stringify((await stored())!.witnesses) === JSON.stringify(elected);
    });
    expect(await kinds()).toEqual([]);
    const { number } = chain().headers!.final!;
    await until('final by them', () => Promise.resolve(chain().headers!.final!.number > number + 30));
  });

  it('stay when more than eight change at once, until an operator accepts the others', async () => {
    const before = (await stored())!.witnesses;
    await world.control('witnesses', { replace: 9 });
    const { number } = (await world.control('witnesses')) as unknown as { number: number; final: number };
    await until('the change noticed', async () => {
      clock.advance(16_000);
      return (await kinds()).length > 0;
    });
    expect(await kinds()).toEqual(['witnesses_changed']);
    expect((await stored())!.witnesses).toEqual(before);
    expect((await stored())!.offered).toEqual(sorted(await active()));
    await world.app.app.get(ChainAlarmsSchedule).keep();
    expect(await world.query(`select kind, parameters from findings`)).toEqual([
      { kind: 'witnesses_changed', parameters: { changed: '9', active: '27' } },
    ]);
    // What the new ones sign makes nothing final.
    const final = chain().headers!.final!.number;
    expect(number).toBeUndefined();
    await world.app.app
      .get(ChainAdminService)
      .acceptWitnesses((await stored())!.digest!, { id: null, address: '127.0.0.1' });
    await until('final by the others', () => Promise.resolve(chain().headers!.final!.number > final + 30));
    expect(await kinds()).toEqual([]);
  });

  it('stay when two nodes disagree', async () => {
    const before = (await stored())!.witnesses;
    const faults = new Set<string>();
    const note = (fault: unknown) => faults.add((fault as NodeFault).node);
    nodeFaults.subscribe(note);
    nodes[1]!.after = ({ route }, answer) =>
      route === 'wallet/listwitnesses'
        ? answer.replaceAll('"isJobs":true', '"isJobs":false').replace('"isJobs":false', '"isJobs":true')
        : answer;
    await world.control('witnesses', { replace: 2 });
    await until('the disagreement noticed', async () => {
      clock.advance(16_000);
      return (await kinds()).length > 0;
    });
    expect(await kinds()).toEqual(['witnesses_disagree']);
    expect((await stored())!.witnesses).toEqual(before);
    // The one that names two others may be right, and the chain proves it.
    nodeFaults.unsubscribe(note);
    expect([...faults]).toEqual([new URL(world.app.app.get(BlockReads).allUrls[1]!).host]);
    nodes[1]!.after = (_call, answer) => answer;
    await until('they agree again', async () => {
      clock.advance(5 * 60_000);
      return (await kinds()).length === 0;
    });
    const elected = sorted(await active());
    await until('those are known that the chain proves', async () => {
      clock.advance(16_000);
      return JSON.stringify((await stored())!.witnesses) === JSON.stringify(elected);
    });
  });

  it('are shown beside those of a second node that disagrees', async () => {
    nodes[1]!.after = ({ route }, answer) =>
      route === 'wallet/listwitnesses' ? answer.replace('"isJobs":true', '"isJobs":false') : answer;
    await world.control('clock', { ms: 6 * 3_600_000 });
    await world.control('block', { count: 3 });
    await until('the disagreement noticed', async () => {
      clock.advance(16_000);
      return (await kinds()).length > 0;
    });
    const { witnesses, offered } = (await stored())!;
    expect([witnesses.length, offered!.length]).toEqual([27, 26]);
  });

  it('when nine of 27 are silent, nothing more becomes final, and nothing steps back', async () => {
    await world.control('witnesses', { silent: 9 });
    const { number } = chain().headers!.head;
    await until('blocks go on', () => Promise.resolve(chain().headers!.head.number > number + 40));
    const final = chain().headers!.final!;
    await until('more blocks', () => Promise.resolve(chain().headers!.head.number > number + 60));
    expect(chain().headers!.final).toEqual(final);
    await world.control('witnesses', { silent: 0 });
    await until('final again', () => Promise.resolve(chain().headers!.final!.number > final.number + 10));
  });
});
