import { FinalityWatch } from '../../../src/chain/verified-chain/finality-watch';
import type { ChainProof } from '../../../src/chain/verified-chain/chain-proof';
import { SlotLength } from '../../../src/chain/verified-chain/slot-length';
import type { BlockHeader } from '../../../src/chain/proof/block-header';
import { HeaderChain } from '../../../src/chain/proof/header-chain';
import { type Judge, NodeJudge, SignatureJudge } from '../../../src/chain/proof/judge';
import { MovableClock } from '../../support/movable-clock';

const COUNT = 27;
const WITNESSES = Array.from({ length: COUNT }, (_, n) => ({ address: `w${n}`, signing_address: `w${n}` }));
const SLOT_MS = 3_000;
const ROUND_MS = (COUNT + 2) * SLOT_MS;
const FIRST_MS = 1_795_000_000_000;

/** Blocks in these slots, each by the witness whose turn it is; the first is genesis, made by no witness. */
function chainOf(
  slots: readonly number[],
  from = 0,
  judge: Judge = new SignatureJudge(WITNESSES),
  count = COUNT,
): HeaderChain {
  const headers = slots.map((slot, at): BlockHeader => {
    const number = from + at;
    const witness = number === 0 ? null : `w${slot % count}`;
    const timeMs = number === 0 ? 0 : FIRST_MS + slot * SLOT_MS;
    return {
      number,
      id: `b${number}`,
      parentId: `b${number - 1}`,
      timeMs,
      root: '',
      witness,
      signer: witness,
      signed: null,
    };
  });
  const chain = new HeaderChain(headers[0]!, judge);
  chain.extend(headers.slice(1));
  if (!chain.final) chain.anchor(from);
  return chain;
}

const upTo = (last: number, first = 0) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
/** One of each three turns: nine of 27. */
const third = (slot: number) => slot % 3 === 0;

describe('whether blocks can still become final', () => {
  const clock = new MovableClock();
  const judge = new SignatureJudge(WITNESSES);
  let watch: FinalityWatch;
  beforeEach(() => {
    watch = new FinalityWatch({ judge } as unknown as ChainProof, new SlotLength(), clock);
  });
  const sees = (chain: HeaderChain) => {
    watch.saw(chain);
    return [watch.doubt !== null, watch.problem !== null];
  };

  it('is doubted as soon as fewer witnesses than it takes have made blocks in the last 27 slots', () => {
    // 27 turns by all, then every third: 13 slots later 18 are left.
    const after = (slots: number) => chainOf([...upTo(60), ...upTo(60 + slots, 61).filter(third)], 1_000);
    expect(sees(after(12))).toEqual([false, false]);
    expect(sees(after(15))).toEqual([true, false]);
    expect(watch.doubt).toContain('of 27 witnesses');
  });

  it('is not doubted on a chain that is younger than a round, unless a few make all its blocks', () => {
    for (const last of [1, 5, 18, 26]) expect(sees(chainOf(upTo(last)))).toEqual([false, false]);
    expect(sees(chainOf([0, ...upTo(60, 1).filter(third)]))[0]).toBe(true);
  });

  it('is not doubted for the two slots of a maintenance', () => {
    expect(sees(chainOf([...upTo(60), ...upTo(70, 63)], 1_000))).toEqual([false, false]);
  });

  it('is doubted after a round without a new final block, and no order begins after two, by the monotonic clock', () => {
    const chain = chainOf(upTo(60), 1_000);
    expect(sees(chain)).toEqual([false, false]);
    clock.advance(ROUND_MS - 1_000);
    expect(sees(chain)).toEqual([false, false]);
    clock.advance(1_000);
    expect(sees(chain)).toEqual([true, false]);
    clock.advance(ROUND_MS);
    expect(sees(chain)).toEqual([true, true]);
    // The same final block, read once more after a pause, is not a new one.
    expect(sees(chainOf(upTo(60), 1_000))).toEqual([true, true]);
    expect(sees(chainOf(upTo(61), 1_000))).toEqual([false, false]);
  });

  it('knows at a start how long none has become final, and takes one long gap for no stall', () => {
    const stalled = [...upTo(60), ...upTo(300, 61).filter(third)];
    expect(sees(chainOf(stalled, 1_000))).toEqual([true, true]);
    watch = new FinalityWatch({ judge } as unknown as ChainProof, new SlotLength(), clock);
    expect(sees(chainOf([...upTo(60), ...upTo(5_027, 5_000)], 1_000))[1]).toBe(false);
  });

  it('counts a stall from its begin in a process that was stopped meanwhile, though it sees a new final block of before', () => {
    expect(sees(chainOf(upTo(60), 1_000))).toEqual([false, false]);
    const grown = watch['chain']!;
    clock.advance(5_000);
    const since = chainOf([...upTo(70), ...upTo(250, 71).filter(third)], 1_000);
    for (const header of [...since.newestFirst()].toReversed().filter(({ number }) => number > grown.head.number))
      grown.extend([header]);
    expect(sees(grown)).toEqual([true, true]);
  });

  it('counts it from its begin, too, when the first head that it sees then is an old one', () => {
    expect(sees(chainOf(upTo(60), 1_000))).toEqual([false, false]);
    const grown = watch['chain']!;
    const since = chainOf([...upTo(70), ...upTo(250, 71).filter(third)], 1_000);
    const later = [...since.newestFirst()].toReversed().filter(({ number }) => number > grown.head.number);
    clock.advance(180 * SLOT_MS);
    while (grown.final!.number < since.final!.number) grown.extend(later.splice(0, 1));
    expect(sees(grown)[1]).toBe(false);
    grown.extend(later);
    expect(sees(grown)).toEqual([true, true]);
  });

  describe('with CHAIN_PROOF=nodes', () => {
    const nodes = new NodeJudge();
    beforeEach(() => {
      watch = new FinalityWatch({ judge: nodes } as unknown as ChainProof, new SlotLength(), clock);
    });

    /** As the node has it solid. */
    const seesWith = (slots: readonly number[], from = 0, count = COUNT) => {
      const chain = chainOf(slots, from, nodes, count);
      chain.anchor(Math.max(from, chain.head.number - 20));
      return sees(chain);
    };

    it('is doubted by the makers that headers name', () => {
      const after = (slots: number) => seesWith([...upTo(60), ...upTo(60 + slots, 61).filter(third)], 1_000);
      expect(after(12)).toEqual([false, false]);
      expect(after(15)).toEqual([true, false]);
      expect(watch.doubt).toContain('of 27 witnesses');
    });

    it('is not doubted where all make blocks, however many they are, or where headers name none', () => {
      for (const count of [1, 2, 5, 27])
        for (const last of [0, 1, 5, 18, 26, 60, 200]) expect(seesWith(upTo(last), 0, count)).toEqual([false, false]);
      const unnamed = new HeaderChain({ ...chainOf([1], 1_000).head, witness: null }, nodes);
      unnamed.anchor(1_000);
      expect(sees(unnamed)).toEqual([false, false]);
    });
  });
});
