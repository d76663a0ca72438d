import { BlockPace } from '../../../src/chain/observer/block-pace';
import type { BlockHeader } from '../../../src/chain/proof/block-header';
import { HeaderChain } from '../../../src/chain/proof/header-chain';
import { NodeJudge } from '../../../src/chain/proof/judge';
import { SettableClock } from '../../support/movable-clock';

const INTERVAL_MS = 3_000;

const idOf = (number: number) => number.toString(16).padStart(64, '0');
const header = (number: number): BlockHeader => ({
  number,
  id: idOf(number),
  parentId: idOf(number - 1),
  timeMs: number * INTERVAL_MS,
  root: '00'.repeat(32),
  witness: null,
  signer: null,
  signed: null,
});

/** A node that has each block so long after its time; every second of the process begins somewhere else. */
class Node {
  readonly clock = new SettableClock();
  readonly chain = new HeaderChain(header(1), new NodeJudge());
  readonly pace = new BlockPace(INTERVAL_MS, this.clock);
  questions = 0;

  constructor(
    private readonly delayMs: () => number,
    beginsMs: number,
  ) {
    this.clock.advance(beginsMs);
  }

  /** Asks when the pace says so, until the block is seen; gives how long after it was there. */
  next(): number {
    const wanted = this.chain.head.number + 1;
    const there = wanted * INTERVAL_MS + this.delayMs();
    for (;;) {
      this.clock.advance(this.pace.waitMs);
      this.questions++;
      const now = this.clock.monotonicMs();
      if (now >= there) this.chain.extend([header(wanted)]);
      this.pace.asked(this.chain);
      if (now >= there) return now - there;
    }
  }
}

describe('the pace of blocks', () => {
  it.each([0, 700, 1_500, 2_900])(
    'is learned, begun %i ms into a slot: seen at once, at little more than a question each',
    (beginsMs) => {
      const node = new Node(() => 40 + Math.random() * 20, 2 * INTERVAL_MS + 60 + beginsMs);
      for (let block = 0; block < 20; block++) node.next();
      node.questions = 0;
      const late = Array.from({ length: 200 }, () => node.next()).toSorted((a, b) => a - b);
      expect(late[100]).toBeLessThan(70);
      expect(late[190]).toBeLessThan(110);
      expect(node.questions).toBeLessThan(200 * 1.4);
    },
  );

  it('learns little from a single late block: the next ones are asked for in time', () => {
    let delayMs = 50;
    const node = new Node(() => delayMs, 2 * INTERVAL_MS + 100);
    for (let block = 0; block < 20; block++) node.next();
    delayMs = 450;
    node.next();
    delayMs = 50;
    const late = Array.from({ length: 10 }, () => node.next());
    expect(Math.max(...late)).toBeLessThan(200);
  });

  it('learns in a few blocks that they come later from now on', () => {
    let delayMs = 50;
    const node = new Node(() => delayMs, 2 * INTERVAL_MS + 100);
    for (let block = 0; block < 20; block++) node.next();
    delayMs = 400;
    for (let block = 0; block < 10; block++) node.next();
    node.questions = 0;
    for (let block = 0; block < 50; block++) node.next();
    expect(node.questions).toBeLessThan(50 * 1.4);
  });

  it('asks for a late block every 100 ms for half a second, then at the next block’s time', () => {
    const node = new Node(() => 50, 2 * INTERVAL_MS + 100);
    for (let block = 0; block < 20; block++) node.next();
    const asked: number[] = [];
    const dueMs = (node.chain.head.number + 1) * INTERVAL_MS + 50;
    while (asked.length < 12) {
      node.clock.advance(node.pace.waitMs);
      asked.push(node.clock.monotonicMs() - dueMs);
      node.pace.asked(node.chain);
    }
    const inFirstSlot = asked.filter((ms) => ms < INTERVAL_MS / 2);
    expect(inFirstSlot.length).toBeLessThanOrEqual(6);
    expect(inFirstSlot.at(-1)! - inFirstSlot[0]!).toBeLessThanOrEqual(500);
    expect(asked[inFirstSlot.length]!).toBeGreaterThan(INTERVAL_MS - 200);
  });
});
