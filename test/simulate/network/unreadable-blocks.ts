import type { Served } from './sim-network';

export const WAYS_TO_FAIL = ['exception', '500', 'silent'] as const;
export type WayToFail = (typeof WAYS_TO_FAIL)[number];

const INSTEAD: Readonly<Record<WayToFail, Served>> = {
  exception: { status: 200, headers: {}, body: '{"Error":"class java.lang.NullPointerException : null"}' },
  '500': { status: 500, headers: {}, body: '' },
  silent: null,
};

/** Blocks, by height, at which every node fails: at each answer that would have one of them in full. */
export class UnreadableBlocks {
  private readonly ways = new Map<number, WayToFail>();

  add(heights: readonly number[], way: WayToFail): void {
    for (const height of heights) this.ways.set(height, way);
  }

  remove(heights: readonly number[]): void {
    for (const height of heights) this.ways.delete(height);
  }

  has(height: number): boolean {
    return this.ways.has(height);
  }

  get heights(): number[] {
    return [...this.ways.keys()];
  }

  get areAny(): boolean {
    return this.ways.size > 0;
  }

  /** What the caller gets of what a node has served. */
  seen(path: string, asked: string, served: Served): Served {
    if (!this.areAny || !served || !('body' in served) || !/\/getblock/.test(path)) return served;
    if ((JSON.parse(asked) as { detail?: boolean }).detail === false) return served;
    for (const [, number] of served.body.matchAll(/"number":(\d+)/g)) {
      const way = this.ways.get(Number(number));
      if (way) return INSTEAD[way];
    }
    return served;
  }
}
