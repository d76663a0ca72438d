import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ChainNode } from '../../local-chain/src/chain/chain.node';
import { ChainDatabase } from '../../local-chain/src/state/chain.database';
import { ValueCache } from '../../local-chain/src/state/value.cache';
import { keys } from '../../local-chain/src/state/world.state';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('memory and disk', () => {
  it('a key that changes in every block keeps only the versions that can still be read', () => {
    const database = new ChainDatabase();
    const node = new ChainNode(database, { witnesses: 27 });
    for (let i = 0; i < 1_200; i++) {
      const energyTrx = BigInt(19_000_000_000 + i);
      node.produceBlock();
      node.state.write(
        node.head.height,
        new Map([
          [keys.network, { ...(node.state.head().get(keys.network) as object), totalEnergyWeightTrx: energyTrx }],
        ]),
      );
    }
    const count = (): number =>
      Number(database.prepare('SELECT count(*) AS count FROM state WHERE key = ?').get(keys.network)!['count']);
    expect(count()).toBeLessThanOrEqual(1_000 + 20 + 1);
    expect(node.viewAt(node.solidHeight - 1_000).head.height).toBe(node.solidHeight - 1_000);
    expect(node.viewAt(0).head.height).toBe(node.solidHeight - 1_000);
    node.close();
  });

  it('forgets what was not used for longest', () => {
    const cache = new ValueCache(3);
    for (const key of ['a', 'b', 'c']) cache.set(key, key);
    cache.get('a');
    cache.set('d', 'd');
    expect(['a', 'b', 'c', 'd'].map((key) => cache.has(key))).toEqual([true, false, true, true]);
  });

  it('the process does not grow with the number of blocks', () => {
    const node = new ChainNode(new ChainDatabase(), { witnesses: 27 });
    const heapAfter = (blocks: number): number => {
      for (let i = 0; i < blocks; i++) node.produceBlock();
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const early = heapAfter(1_000);
    const late = heapAfter(4_000);
    expect(late - early).toBeLessThan(30_000_000);
    node.close();
  });
});
