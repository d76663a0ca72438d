import { Clock } from '../../../../src/common/clock';
import { ConfiguredNodes } from '../../../../src/chain/tron/node/configured-nodes';
import { SettableClock } from '../../../support/movable-clock';
import { createTestApp } from '../../../support/test-app';

it('a node fails, for people, once it has failed for ten seconds and rests, until a call goes well or its rest is over', async () => {
  const clock = new SettableClock();
  const service = await createTestApp({
    backgroundWork: false,
    env: { TRON_FULL_NODE_URLS: 'http://127.0.0.1:1,http://127.0.0.2:1' },
    overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
  });
  const nodes = service.app.get(ConfiguredNodes);
  const pool = nodes.pool('wallet');
  const [node] = pool.nodes;
  const failing = () => nodes.standings().filter((view) => view.failing);
  const failsAfter = (ms: number) => {
    clock.advance(ms);
    nodes.failed(pool, node!, 'getnowblock: no answer');
    return failing().length;
  };
  try {
    // Several calls at one moment are one fault.
    expect([failsAfter(0), failsAfter(0), failsAfter(0), failsAfter(9_000)]).toEqual([0, 0, 0, 0]);
    expect(failsAfter(1_500)).toBe(1);
    expect(failing()).toMatchObject([{ kind: 'wallet', url: 'http://127.0.0.1:1' }]);
    pool.worked(node!);
    expect(failing()).toEqual([]);
    expect(failsAfter(60_000)).toBe(0);
    // Its rest is over, and no caller has asked it again: nothing is known to be wrong.
    clock.advance(60_000);
    expect(failing()).toEqual([]);
    // What the other one shows is compared with it, also while a caller finds out whether it is back.
    const reachable = () => nodes.reachable('wallet').includes(node!.url);
    expect([nodes.urls('wallet').length, reachable()]).toEqual([2, true]);
    await pool.post(node!, 'getnowblock', {}, 1_000);
    expect([nodes.standings()[0]!.resting, reachable()]).toEqual([true, true]);
    nodes.failed(pool, node!, 'getnowblock: no answer');
    expect(reachable()).toBe(false);
  } finally {
    await service.close();
  }
});
