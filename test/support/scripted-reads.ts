import type { DoubtfulBlockError, ShownBlock } from '../../src/chain/tron/node/block-answer';
import type { BlockReads } from '../../src/chain/tron/node/block-reads';

/** Blocks that a node shows, or what it shows by when it is asked: the first time, the second. */
export type Script = readonly ShownBlock[] | readonly (readonly ShownBlock[])[];

/** In the place of nodes `node:0`, `node:1`: each shows its blocks, from the lowest asked for on as long as it has them. */
export function readsOf(...nodes: Script[]) {
  const doubted: string[] = [];
  const asked = new Map<string, number>();
  const shownBy = (url: string): readonly ShownBlock[] => {
    const script = nodes[Number(url.slice('node:'.length))]!;
    const times = asked.get(url) ?? 0;
    asked.set(url, times + 1);
    return Array.isArray(script[0])
      ? (script as readonly (readonly ShownBlock[])[])[Math.min(times, script.length - 1)]!
      : (script as readonly ShownBlock[]);
  };
  const reads = {
    urls: nodes.map((_, node) => `node:${node}`),
    blocks: (url: string, from: number, to: number) => {
      const shown = shownBy(url);
      const heights = Array.from({ length: to - from + 1 }, (_, at) => from + at);
      const found = heights.map((number) => shown.find(({ header }) => header.number === number));
      const gap = found.indexOf(undefined);
      return Promise.resolve(gap < 0 ? found : found.slice(0, gap));
    },
    isAnyThere: () => Promise.resolve(true),
    doubted: (url: string, { reason }: DoubtfulBlockError) => void doubted.push(`${url} ${reason}`),
  } as unknown as BlockReads;
  return { reads, doubted };
}
