import { readBlock, readHeader } from '../../../src/chain/tron/node/block-answer';
import type { BlockHeader } from '../../../src/chain/proof/block-header';
import { HeaderChain } from '../../../src/chain/proof/header-chain';
import { NodeJudge, SignatureJudge, type Witness } from '../../../src/chain/proof/judge';
import {
  type FollowedWitnesses,
  followWitnesses,
  type KnownWitnesses,
  PERIOD_MS,
} from '../../../src/chain/proof/proved-witnesses';
import { type RecordedBlock, recordedBlocks, recordedSetChange } from '../../support/recorded-blocks';

const SLOT_MS = 3_000;
const one = (n: number, key = 0): Witness => ({
  address: `w${String(n).padStart(3, '0')}`,
  signing_address: `k${n}-${key}`,
});
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => one(from + at));
const addresses = (witnesses: readonly Witness[]) => new Set(witnesses.map(({ address }) => address));

/** A chain whose blocks are signed by whom a test says. It links and believes everything: only who signs is of interest here. */
class Signed {
  readonly chain: HeaderChain;

  constructor(number = 0, timeMs = 0) {
    this.chain = new HeaderChain(this.header(number, null, timeMs), new NodeJudge());
  }

  private header(number: number, by: Witness | null, timeMs: number): BlockHeader {
    const [witness, signer] = [by?.address ?? null, by?.signing_address ?? null];
    return { number, id: `b${number}`, parentId: `b${number - 1}`, timeMs, root: '', witness, signer, signed: null };
  }

  sign(makers: readonly Witness[], pauseMs = 0): this {
    for (const [at, maker] of makers.entries()) {
      const { number, timeMs } = this.chain.head;
      this.chain.extend([this.header(number + 1, maker, timeMs + SLOT_MS + (at === 0 ? pauseMs : 0))]);
    }
    return this;
  }

  turns(count: number, makers: readonly Witness[]): this {
    for (let turn = 0; turn < count; turn++) this.sign(makers);
    return this;
  }
}

/** As an instance keeps it, from one look to the next. */
class Following {
  changedAtMs: number[] = [];
  followed: KnownWitnesses['followed'];

  constructor(
    public witnesses: readonly Witness[],
    { chain }: Signed,
    public named: ReadonlySet<string> | null = null,
  ) {
    const signedAtMs = Object.fromEntries(witnesses.map(({ address }) => [address, chain.head.timeMs]));
    this.followed = { number: chain.head.number, id: chain.head.id, timeMs: chain.head.timeMs, signedAtMs };
  }

  look({ chain }: Signed): FollowedWitnesses {
    const learned = followWitnesses(chain, this);
    this.witnesses = learned.witnesses;
    this.followed = learned.followed;
    this.changedAtMs.push(...learned.changes.map(({ timeMs }) => timeMs));
    return learned;
  }

  has(witness: Witness): boolean {
    return this.witnesses.some((known) => JSON.stringify(known) === JSON.stringify(witness));
  }
}

describe('who signs a chain', () => {
  const active = range(1, 27);
  const stranger = one(100);

  it.each([
    [27, 19],
    [4, 3],
  ])('of %d: a key joins once %d of the known have built on its block, and not before', (n, needed) => {
    const known = range(1, n);
    const others = known.slice(1);
    const chain = new Signed().turns(1, known);
    const following = new Following(known, chain, addresses([...others, stranger]));
    chain.sign([stranger]);
    // A whole turn of fewer proves nothing, however long they go on.
    chain.turns(5, others.slice(0, needed - 1));
    expect(following.look(chain).changes).toEqual([]);
    chain.sign([others[needed - 1]!]);
    expect(following.look(chain).changes).toMatchObject([{ number: n + 1, joined: stranger, gone: known[0] }]);
    expect(following.witnesses).toHaveLength(n);
  });

  it('is not who a node names: named keys that no known witness builds on do not join, whatever they sign themselves', () => {
    const chain = new Signed().turns(1, active);
    const strangers = range(100, 8);
    const following = new Following(active, chain, addresses([...active.slice(8), ...strangers]));
    // One of the known goes along with them.
    chain.turns(20, [...strangers, active[8]!]);
    expect(following.look(chain).changes).toEqual([]);
    expect(following.witnesses).toEqual(active);
  });

  it('is whom the chain shows, although no node names them', () => {
    const chain = new Signed().turns(1, active);
    const following = new Following(active, chain, addresses([...active, one(666)]));
    chain.turns(3, [...active.slice(1), stranger]);
    following.look(chain);
    expect([following.has(stranger), following.has(active[0]!)]).toEqual([true, false]);
  });

  it('a new key takes the place of the same witness’s old one, and of no other', () => {
    const chain = new Signed().turns(1, active);
    const following = new Following(active, chain);
    const renewed = one(5, 1);
    chain.turns(3, [...active.slice(0, 4), renewed, ...active.slice(5)]);
    expect(following.look(chain).changes).toMatchObject([{ joined: renewed, gone: active[4] }]);
  });

  it('of the silent ones goes first whom no node names, then who has been silent for longest', () => {
    const chain = new Signed().turns(1, active);
    const [gone, down] = [active[10]!, active[0]!];
    const following = new Following(active, chain, addresses(active.filter((known) => known !== gone)));
    const signing = active.filter((known) => known !== gone && known !== down);
    chain.turns(3, [...signing, stranger]);
    following.look(chain);
    expect([following.has(stranger), following.has(gone), following.has(down)]).toEqual([true, false, true]);
    chain.turns(3, [...signing, stranger, one(101)]);
    following.look(chain);
    expect([following.has(one(101)), following.has(down)]).toEqual([true, false]);
  });

  it('who is named may miss a turn, and does not go for it in the place of one that has left', () => {
    const chain = new Signed().turns(1, active);
    const [late, gone] = [active[10]!, active[20]!];
    // A node goes on naming who has left.
    const following = new Following(active, chain, addresses(active));
    const staying = active.filter((known) => known !== gone);
    chain.sign([stranger, ...staying.filter((known) => known !== late)]).turns(3, [stranger, ...staying]);
    expect(following.look(chain).changes).toMatchObject([{ joined: stranger, gone }]);
  });

  it('who was replaced does not come back by blocks that it signed before', () => {
    const chain = new Signed().turns(3, active);
    const following = new Following(active, new Signed());
    chain.turns(3, [...active.slice(1), stranger]);
    following.look(chain);
    chain.turns(3, [...active.slice(1), stranger]);
    expect(following.look(chain).changes).toEqual([]);
    expect(following.has(active[0]!)).toBe(false);
  });

  it('eight of 27 may change in six hours of block time; the ninth waits for the time after', () => {
    const chain = new Signed().turns(1, active);
    const following = new Following(active, chain);
    const newOnes = range(100, 9);
    for (let elected = 1; elected <= 9; elected++) {
      chain.turns(3, [...active.slice(elected), ...newOnes.slice(0, elected)]);
      following.look(chain);
    }
    expect(following.changedAtMs).toHaveLength(8);
    expect(following.has(newOnes[8]!)).toBe(false);
    chain.sign(active.slice(9), PERIOD_MS).turns(3, [...newOnes, ...active.slice(9)]);
    following.look(chain);
    expect([following.changedAtMs.length, following.has(newOnes[8]!)]).toEqual([9, true]);
  });

  it('a place goes by itself after a whole period without a block, when no node names its witness any more', () => {
    const chain = new Signed().turns(1, active);
    const [gone, down] = [active[0]!, active[1]!];
    const following = new Following(active, chain, addresses(active.slice(1)));
    const others = active.slice(2);
    chain
      .turns(3, others)
      .sign(others, PERIOD_MS - 200 * SLOT_MS)
      .turns(2, others);
    expect(following.look(chain).changes).toEqual([]);
    chain.turns(4, others);
    expect(following.look(chain).changes).toMatchObject([{ joined: null, gone }]);
    // Silent as long, but elected by what the nodes say.
    expect([following.witnesses.length, following.has(down)]).toEqual([26, true]);
  });

  it('a place does not go while others sign who are to take it: they do, as one change each', () => {
    const chain = new Signed().turns(1, active);
    const elected = range(100, 5);
    const following = new Following(active, chain, addresses([...active.slice(5), ...elected]));
    chain.sign(active.slice(5, 8), PERIOD_MS).turns(3, [...active.slice(5), ...elected]);
    expect(following.look(chain).changes).toHaveLength(5);
    expect(following.witnesses).toEqual([...active.slice(5), ...elected]);
  });

  it('no witness counts as silent while the whole chain stood still, or where this service saw no blocks', () => {
    const standing = new Signed().turns(1, active);
    const following = new Following(active, standing, new Set());
    standing.sign(active, 2 * PERIOD_MS).turns(2, active);
    expect(following.look(standing).changes).toEqual([]);
    const seenAgain = new Signed(50_000, 10 * PERIOD_MS).turns(2, active.slice(1));
    expect(following.look(seenAgain).changes).toEqual([]);
    expect([following.followed!.number > 50_000, following.witnesses]).toEqual([true, active]);
  });

  it('where none is silent, a named one joins besides the others: a network with more of them', () => {
    const four = range(1, 4);
    const chain = new Signed().turns(1, four);
    const following = new Following(four, chain, addresses(four));
    chain.turns(3, [...four, one(5)]);
    expect(following.look(chain).changes).toEqual([]);
    following.named = addresses([...four, one(5)]);
    chain.turns(3, [...four, one(5)]);
    expect(following.look(chain).changes).toMatchObject([{ joined: one(5), gone: null }]);
  });

  it('is the same whether it is looked at with each block or once', () => {
    const chain = new Signed().turns(1, active);
    const [often, once] = [new Following(active, chain), new Following(active, chain)];
    const renewed = one(9, 1);
    const makers = [...active.slice(3, 8), renewed, ...active.slice(9), ...range(100, 3)];
    for (let turn = 0; turn < 5; turn++)
      for (const maker of makers) {
        chain.sign([maker]);
        often.look(chain);
      }
    once.look(chain);
    expect(once).toEqual(often);
    expect(once.changedAtMs).toHaveLength(4);
  });
});

describe('who signs a chain, for an instance that is behind', () => {
  const active = range(1, 27);

  it('stays as another instance has followed it: nothing of it is set back', () => {
    const ahead = new Signed().turns(6, active);
    const other = new Following(active, new Signed());
    other.look(ahead);
    const behind = new Following(active, new Signed());
    behind.followed = other.followed;
    const changes = behind.look(new Signed().turns(2, active)).changes;
    expect([changes, behind.followed]).toEqual([[], other.followed]);
  });

  it('the bound of eight holds also where blocks are gone through once more', () => {
    const chain = new Signed().turns(1, active);
    const following = new Following(active, chain);
    chain.turns(3, [...active.slice(1), one(100)]);
    following.changedAtMs = Array.from({ length: 8 }, () => chain.chain.head.timeMs + SLOT_MS);
    expect(following.look(chain).changes).toEqual([]);
  });
});

describe('a real chain whose set changed', () => {
  const { blocks, orphans, before, after } = recordedSetChange();
  const headerOf = (json: RecordedBlock) => readHeader(json as unknown as Record<string, unknown>);
  const all = blocks.map(headerOf);
  const sets = [before, after].map((set) =>
    set
      .map(({ address, signing_address }) => ({ address, signing_address }))
      .toSorted((a, b) => (a.address < b.address ? -1 : 1)),
  ) as [Witness[], Witness[]];
  const followedFrom = (witnesses: readonly Witness[], named: readonly Witness[]): KnownWitnesses => {
    const { number, id, timeMs } = all[0]!;
    const signedAtMs = Object.fromEntries(witnesses.map(({ address }) => [address, timeMs]));
    return { witnesses, changedAtMs: [], named: addresses(named), followed: { number, id, timeMs, signedAtMs } };
  };
  const follow = (witnesses: readonly Witness[], named: readonly Witness[]) => {
    const [first, ...rest] = all;
    const chain = new HeaderChain(first!, new NodeJudge());
    chain.extend(rest);
    return followWitnesses(chain, followedFrom(witnesses, named));
  };
  const [elected] = sets[1].filter(({ address }) => !addresses(sets[0]).has(address));

  it('is followed as it was: who is elected and signs nothing is not counted yet, who left is kept for a period', () => {
    expect(all.some(({ witness }) => witness === elected!.address)).toBe(false);
    const { witnesses, changes, followed } = follow(sets[0], sets[1]);
    expect([witnesses, changes]).toEqual([sets[0], []]);
    expect(followed.number).toBe(900 - 27);
  });

  it('is followed block by block through its two restarts: the branches that lost are left, and nothing final is undone', () => {
    const chain = new HeaderChain(all[0]!, new SignatureJudge(sets[0]));
    const lost = orphans.map(headerOf);
    let known = followedFrom(sets[0], sets[1]);
    let [final, left] = [0, 0];
    for (const header of all.slice(1)) {
      // What a node showed first, until the other branch was longer.
      const branch = lost.filter(({ number }) => number >= header.number && number < header.number + 3);
      if (branch[0]?.parentId === header.parentId) {
        chain.extend(branch);
        expect(chain.head.id).toBe(branch.at(-1)!.id);
        left += branch.length;
      }
      const from = all.findIndex(({ number, id }) => number > 780 && !chain.holds(number, id));
      const to = all.indexOf(header);
      if (from <= to) chain.extend(all.slice(from, to + 1));
      expect(chain.final?.number ?? 0).toBeGreaterThanOrEqual(final);
      final = chain.final?.number ?? 0;
      expect(final === 0 || chain.holds(final, all[final - 780]!.id)).toBe(true);
      const learned = followWitnesses(chain, known);
      expect(learned.changes).toEqual([]);
      known = { ...known, followed: learned.followed };
    }
    expect([left, chain.head.id, chain.replaced]).toEqual([6, all.at(-1)!.id, 6]);
    // By 26 of the 27, one of whom has left.
    expect(final).toBeGreaterThan(870);
  });

  it('proves its transactions, and later shows the elected one by the signature of its own key', () => {
    const full = [...blocks, ...orphans].filter(({ transactions }) => transactions);
    expect(full.length).toBeGreaterThan(20);
    for (const block of full) expect(readBlock(block as unknown as Record<string, unknown>).body).not.toBeNull();
    const later = headerOf(recordedBlocks('unknown-field.jsonl').at(-1)!);
    expect([later.number, later.witness]).toEqual([2553, elected!.address]);
    const [old, now] = sets.map((set) => new SignatureJudge(set).believes(later));
    expect([old, now]).toEqual([false, true]);
  });

  it.each(all.slice(1, 27).map(({ witness }) => witness!))(
    'proves %s by its own signature, where it is not known',
    (address) => {
      const unknown = sets[0].find((known) => known.address === address)!;
      const known = [...sets[0].filter((witness) => witness !== unknown), elected!];
      const { witnesses, changes } = follow(known, sets[0]);
      const first = all.find(({ witness, number }) => witness === address && number > 780)!.number;
      expect(changes).toMatchObject([{ number: first, joined: unknown, gone: elected }]);
      expect(witnesses).toEqual(sets[0]);
    },
  );
});
