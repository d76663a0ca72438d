import type { BlockHeader } from './block-header';
import { mostMissing, neededWitnesses } from './final-height';
import type { HeaderChain } from './header-chain';
import { SignatureJudge, type Witness } from './judge';

/** Mainnet's maintenance period. A constant: by a period that a node names, that node could have as many change as it likes. */
export const PERIOD_MS = 6 * 3_600_000;

/** Up to where the chain was looked through for who signs it. */
export interface Followed {
  readonly number: number;
  /** Null: it is only where this began, and nothing proves the block itself. */
  readonly id: string | null;
  readonly timeMs: number;
  /** By known witness, the block time of its newest block down there, or since when it was waited for one. */
  readonly signedAtMs: Readonly<Record<string, number>>;
}

export interface KnownWitnesses {
  readonly witnesses: readonly Witness[];
  /** Null: these were named just now, and blocks below the head say nothing about them. */
  readonly followed: Followed | null;
  /** Block times of what changed lately. */
  readonly changedAtMs: readonly number[];
  /**
   * Addresses of those who are named as active: of known witnesses by every node that answers, of others by any; null before a node has
   * named any.
   */
  readonly named: ReadonlySet<string> | null;
  /** Witnesses that lost a place lately, with the key of then. */
  readonly gone?: readonly Witness[];
  /** Ids of blocks whose signer is in doubt: no key joins by them. */
  readonly doubted?: ReadonlySet<string>;
}

/** One place in the set: of a key that was replaced, of one that was added (none is gone), or left without another (none joined). */
export interface WitnessChange {
  readonly number: number;
  readonly timeMs: number;
  readonly joined: Witness | null;
  readonly gone: Witness | null;
}

export interface FollowedWitnesses {
  readonly witnesses: readonly Witness[];
  readonly followed: Followed;
  readonly changes: readonly WitnessChange[];
}

/**
 * Follows, from the headers alone, which witnesses sign the chain. A key that is not known has proved itself by a block with as many known
 * witnesses on top as finality needs: honest ones build on elected witnesses alone, so that no node can bring in a key by naming it, nor
 * keep one out by not naming it. That the header has its witness's own signature is for the caller to see to (`FollowSigners`). Blocks are taken one after the other, each once, and not before a whole turn stands on top: so a witness
 * that has left by then is seen to be silent, and every instance comes to the same set.
 */
export function followWitnesses(chain: HeaderChain, known: KnownWitnesses): FollowedWitnesses {
  const set = new ChangingSet(known, whereToBegin(chain, known));
  for (;;) {
    const block = chain.at(set.number + 1);
    const builders = block && buildersOn(block, chain, set.witnesses);
    if (!builders) return set.result();
    set.take(block, builders);
  }
}

/** The known witnesses that have built on a block, and in how long. */
interface Builders {
  readonly addresses: ReadonlySet<string>;
  readonly turnMs: number;
  /** Others have signed there too: who is to take a place comes before a place goes. */
  readonly areAlone: boolean;
}

/** The witnesses that have built on this block, of a whole turn at least; null while they are too few. */
function buildersOn(block: BlockHeader, chain: HeaderChain, witnesses: readonly Witness[]): Builders | null {
  const judge = new SignatureJudge(witnesses);
  const needed = neededWitnesses(witnesses.length);
  const addresses = new Set<string>();
  let areAlone = true;
  for (let above = 1; ; above++) {
    const header = chain.at(block.number + above);
    if (!header) return null;
    if (judge.believes(header)) addresses.add(header.witness!);
    else areAlone = false;
    if (above >= witnesses.length && addresses.size >= needed)
      return { addresses, turnMs: header.timeMs - block.timeMs, areAlone };
  }
}

function whereToBegin(chain: HeaderChain, { followed, witnesses }: KnownWitnesses): Followed {
  const since = ({ number, timeMs }: BlockHeader): Followed => ({
    number,
    id: null,
    timeMs,
    signedAtMs: Object.fromEntries(witnesses.map(({ address }) => [address, timeMs])),
  });
  // Above the head another instance is further: that stays, or everything would be gone through again.
  const there = followed && chain.at(followed.number);
  if (!followed || (there && followed.id !== null && there.id !== followed.id)) return since(chain.head);
  if (followed.number >= chain.floor - 1) return followed;
  // The blocks in between were not seen: no witness counts as silent there.
  const [number, { timeMs }] = [chain.floor - 1, chain.at(chain.floor)!];
  const unseenMs = timeMs - followed.timeMs;
  const later = Object.entries(followed.signedAtMs).map(([address, atMs]) => [address, atMs + unseenMs] as const);
  return { number, id: null, timeMs, signedAtMs: Object.fromEntries(later) };
}

class ChangingSet {
  number: number;
  witnesses: readonly Witness[];
  private id: string | null;
  private timeMs: number;
  private readonly signedAtMs: Map<string, number>;
  private readonly changes: WitnessChange[] = [];

  constructor(
    private readonly known: KnownWitnesses,
    begin: Followed,
  ) {
    ({ number: this.number, id: this.id, timeMs: this.timeMs } = begin);
    this.witnesses = known.witnesses;
    this.signedAtMs = new Map(Object.entries(begin.signedAtMs));
  }

  take({ number, id, timeMs, witness, signer }: BlockHeader, builders: Builders): void {
    [this.number, this.id, this.timeMs] = [number, id, timeMs];
    if (witness !== null && signer !== null) {
      const isKnown = this.witnesses.some((one) => one.address === witness && one.signing_address === signer);
      if (isKnown) this.signedAtMs.set(witness, timeMs);
      else if (!this.known.doubted?.has(id)) this.join({ address: witness, signing_address: signer }, builders);
    }
    if (builders.areAlone) this.letGo(builders.addresses, witness);
  }

  result(): FollowedWitnesses {
    const { number, id, timeMs, witnesses, changes } = this;
    const signedAtMs = Object.fromEntries(
      witnesses.map(({ address }) => [address, this.signedAtMs.get(address) ?? timeMs]),
    );
    return { witnesses, followed: { number, id, timeMs, signedAtMs }, changes };
  }

  /**
   * The joining witness takes the place of its own other key; else of a witness that has been silent for the turn on top, first of those
   * that not every node names; or, where none was silent, a new place. A witness that every node names may have missed one turn: it goes
   * only if it was silent in the turn before too. A witness for which there is neither place nor, in this period, another change comes
   * again with its next block.
   */
  private join(joined: Witness, { addresses, turnMs }: Builders): void {
    if (!this.mayChange) return;
    const former = this.witnesses.find(({ address }) => address === joined.address);
    // By now it signs with the known key again.
    if (former && addresses.has(former.address)) return;
    const silent = former ? [former] : this.silent(addresses, null);
    const mayGo = (one: Witness) => one === former || this.isUnnamed(one) || this.timeMs - this.signedAt(one) >= turnMs;
    const gone = silent.find(mayGo) ?? null;
    if (gone || (silent.length === 0 && this.known.named?.has(joined.address))) this.change(joined, gone);
  }

  /**
   * A place goes without another in it only when its witness signs nothing for a whole period, and not every node names the witness any
   * more. A node that lies can have the witnesses go that are down: six of 27 in a period, after which 15 of 21 make final, more than half
   * of all 27.
   */
  private letGo(builders: ReadonlySet<string>, maker: string | null): void {
    for (const gone of this.silent(builders, maker)) {
      const isLong = this.timeMs - this.signedAt(gone) >= PERIOD_MS;
      if (isLong && this.isUnnamed(gone) && this.mayChange) this.change(null, gone);
    }
  }

  /** Those that not every node names first, then who has been silent for longest. */
  private silent(builders: ReadonlySet<string>, maker: string | null): Witness[] {
    return this.witnesses
      .filter(({ address }) => !builders.has(address) && address !== maker)
      .toSorted((a, b) => Number(this.isUnnamed(b)) - Number(this.isUnnamed(a)) || this.signedAt(a) - this.signedAt(b));
  }

  private isUnnamed({ address }: Witness): boolean {
    return this.known.named !== null && !this.known.named.has(address);
  }

  private signedAt({ address }: Witness): number {
    return this.signedAtMs.get(address) ?? this.timeMs;
  }

  /** As many in a period as may be missing: the others still make blocks final, whatever was wrong about these. */
  private get mayChange(): boolean {
    const times = [...this.known.changedAtMs, ...this.changes.map((change) => change.timeMs)];
    const recent = times.filter((atMs) => atMs > this.timeMs - PERIOD_MS);
    return recent.length < mostMissing(this.witnesses.length);
  }

  private change(joined: Witness | null, gone: Witness | null): void {
    const others = this.witnesses.filter((witness) => witness !== gone);
    this.witnesses = [...others, ...(joined ? [joined] : [])].toSorted((a, b) => (a.address < b.address ? -1 : 1));
    if (joined) this.signedAtMs.set(joined.address, this.timeMs);
    this.changes.push({ number: this.number, timeMs: this.timeMs, joined, gone });
  }
}
