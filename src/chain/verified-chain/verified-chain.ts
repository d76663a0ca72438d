import { Inject, Injectable, Logger } from '@nestjs/common';
import { BACKGROUND_WORK } from '../../common/background-job';
import { DatabaseIdentity } from '../../database/identity/database-identity';
import { ChainFaultRepository } from './faults/chain-fault.repository';
import { DoubtfulBlockError, type UnverifiableTip } from '../tron/node/block-answer';
import type { BlockHeader } from '../proof/block-header';
import { BlockReads, type Newest } from '../tron/node/block-reads';
import { withCallPriority } from '../tron/node/call-priority';
import { ChainIdentityRepository } from '../tron/node/chain-identity.repository';
import { NodeUnavailableError } from '../tron/node/node-errors';
import { NodeStanding } from '../tron/node/node-standing';
import { type HeaderChain, UndoesFinalError } from '../proof/header-chain';
import { whyNotBelieved } from '../proof/judge';
import { NobodyBelievedError } from './witnesses/witness-set';
import { BlockBodies } from './block-bodies';
import { BlockClock } from './block-clock';
import { Branches } from './branches';
import { ChainProof } from './chain-proof';
import { ChainStart, TooFewWitnessesError } from './chain-start';
import { FinalityWatch } from './finality-watch';
import { type Others, OtherHeads } from './other-heads';
import { RefusedBranch } from './refused-branch';
import { RememberedFinal } from './remembered-final';

/** After a longer gap, the headers in between are not read: a head that enough witnesses have built on is as good. */
const MOST_MISSED = 30;
/** Without a new verified head for so long, nothing is begun and nothing is concluded. */
const STALLED_MS = 30_000;
/** So long, when the first node has no new block, a look waits for the others; what comes later is followed with the next question. */
const OTHERS_WAIT_MS = 500;
/** So long a request waits for a look: a node that keeps us waiting must not keep the answer back. */
const LONGEST_WAIT_MS = 2_000;
/** A command waits: it has nothing to say before. */
const COMMAND_WAIT_MS = 600_000;

export interface Tips {
  readonly head: BlockHeader;
  readonly final: BlockHeader;
  /** As `HeaderChain` has them. */
  readonly headTimeMs: number;
  readonly signingTimeMs: number;
}

/** The longest verified branch that any node offers. Only `look` asks nodes. */
@Injectable()
export class VerifiedChain {
  private readonly logger = new Logger(VerifiedChain.name);
  private chain: HeaderChain | null = null;
  private looking: Promise<boolean> | null = null;
  private lookedAtMs = Number.NEGATIVE_INFINITY;
  private newHeadAtMs = Number.NEGATIVE_INFINITY;
  private fault = 'no block was verified yet';
  private doubted = '';
  /** The last look: the next one asks for the header alone, which a node may have although it fails at the block. */
  private failedInFull = false;
  private readonly others: OtherHeads;
  private readonly longestWaitMs: number;
  private readonly remembered: RememberedFinal;
  private readonly refused: RefusedBranch;

  constructor(
    private readonly proof: ChainProof,
    private readonly reads: BlockReads,
    private readonly bodies: BlockBodies,
    private readonly starts: ChainStart,
    private readonly branches: Branches,
    private readonly finality: FinalityWatch,
    private readonly standing: NodeStanding,
    memory: ChainIdentityRepository,
    identity: DatabaseIdentity,
    faults: ChainFaultRepository,
    private readonly clock: BlockClock,
    @Inject(BACKGROUND_WORK) isService: boolean,
  ) {
    this.longestWaitMs = isService ? LONGEST_WAIT_MS : COMMAND_WAIT_MS;
    this.remembered = new RememberedFinal(memory, identity, clock);
    this.refused = new RefusedBranch(this.remembered, faults, clock, this.logger);
    this.others = new OtherHeads(reads, (url, tip) => this.place(url, tip));
    standing.compareFirst(() => this.look(), this.longestWaitMs);
  }

  /** As it is known, however old; null before the first look. */
  get headers(): HeaderChain | null {
    return this.chain;
  }

  /** The height of a final block that the database has had; null before it was looked at. */
  get rememberedNumber(): number | null {
    return this.remembered.known;
  }

  /** Since the last look that nodes have answered. */
  get ageMs(): number {
    return this.clock.monotonicMs() - this.lookedAtMs;
  }

  /** Since the head was new. */
  get headAgeMs(): number {
    return this.clock.monotonicMs() - this.newHeadAtMs;
  }

  /** Why nothing may be begun or concluded now, or null. */
  get problem(): string | null {
    if (this.refused.error) return this.refused.error.message;
    if (!this.chain) return this.fault;
    const { headAgeMs } = this;
    if (headAgeMs <= STALLED_MS) return null;
    return `no new verified block for ${Math.round(headAgeMs / 1000)} s (the last is ${this.chain.head.number})${this.fault && `: ${this.fault}`}`;
  }

  /** Why the last looks have brought nothing new; empty when they have. */
  get lastFault(): string {
    return this.fault;
  }

  /** @throws NodeUnavailableError while there is a problem */
  tips(): Tips {
    const { problem } = this;
    if (problem !== null) throw new NodeUnavailableError(problem);
    const { head, final, headTimeMs, signingTimeMs } = this.chain!;
    return { head, final: final!, headTimeMs, signingTimeMs };
  }

  /**
   * Asks for a newer head: the first node, the second where that one fails or is late, and all others, awaited, when both fail. True when
   * there is one. All callers that want to know wait for the same look.
   * @throws NodeUnavailableError when none could be asked; what was verified before stays
   */
  look(inFull = false, others: Others = 'awaited'): Promise<boolean> {
    // All share it, whatever priority the work has that asked for it first.
    this.looking ??= withCallPriority('blocks', () => this.lookOnce(inFull, others)).finally(
      () => (this.looking = null),
    );
    return this.looking;
  }

  /**
   * The known tips, after a look for which a caller waits no longer than a request may; the look itself goes on.
   * @throws NodeUnavailableError with what is wrong with the nodes, or with the chain
   */
  async lookShortly(): Promise<Tips> {
    await this.clock.waitAtMost(this.longestWaitMs, this.look());
    return this.tips();
  }

  private async lookOnce(inFull: boolean, others: Others): Promise<boolean> {
    try {
      await this.proof.prepare(this.chain?.head.timeMs ?? null);
      const before = this.chain?.head.id;
      await this.advance(inFull, others);
      if (await this.proof.learn(this.chain!)) this.chain!.settle();
      const { head, final } = this.chain!;
      this.standing.know({ head, final: final! });
      this.lookedAtMs = this.clock.monotonicMs();
      this.finality.saw(this.chain!);
      const isNew = head.id !== before;
      if (isNew) await this.moved();
      return isNew;
    } catch (error) {
      if (error instanceof NodeUnavailableError) this.fault = error.reason;
      if (error instanceof NobodyBelievedError) this.chain = null;
      throw error;
    }
  }

  private async advance(inFull: boolean, wanted: Others): Promise<void> {
    if (await this.refused.isAccepted(this.chain)) this.beginAnew();
    if (!this.chain) return this.start();
    const before = this.chain.head.id;
    const nodes = this.reads.urls;
    const faults: unknown[] = [];
    /** The node that the first answer came from, whether it is followed or not: the others are asked when it is not. */
    let first = nodes[0];
    let isFollowed = false;
    const follow = (newest: Promise<Newest>) =>
      newest
        .then(async (shown) => {
          first = shown.url;
          await this.follow(shown);
          isFollowed = true;
        })
        .catch((error: unknown) => void faults.push(error));
    const isInFull = inFull && !this.failedInFull;
    if (nodes.length > 0) await follow(this.reads.newestOf(nodes.slice(0, 2), isInFull));
    const asked = first;
    this.failedInFull = isInFull && faults.length > 0;
    const isLate = this.chain.head.id === before;
    const beside = faults.length > 0 ? 'awaited' : wanted;
    if (beside !== 'unasked') {
      const others = new Set([...nodes, ...this.standing.behind('wallet')]);
      const compared = this.others.ask([...others].filter((url) => url !== asked));
      void compared.then(() => this.standing.lookAtSolid());
      // When the first has failed, the slowest answer is better than none.
      const longest = [this.clock.sleep(OTHERS_WAIT_MS), ...(faults.length > 0 ? [this.others.oneAnswer()] : [])];
      if (isLate && beside === 'awaited') await Promise.race([compared, Promise.all(longest)]);
    }
    // Not asked for once more: the slowest of them would keep all waiting.
    for (const shown of this.others.takeAhead()) await follow(Promise.resolve({ ...shown, block: null }));
    this.chain.settle();
    const isAnyThere = isFollowed || this.others.isAnyThere;
    if (faults.length > 0 && !isAnyThere && this.chain.head.id === before) throw faults[0];
  }

  /** This node's newest block if it is to be followed, else null. @throws NodeUnavailableError when the node belongs to another chain now */
  private async place(url: string, tip: BlockHeader | UnverifiableTip): Promise<BlockHeader | null> {
    if ('unverifiable' in tip) {
      this.standing.headOf(url, null);
      this.doubt(`the newest block of a node is not believed: ${tip.unverifiable}`);
      await this.reads.requireSameChain(url);
      return null;
    }
    this.standing.headOf(url, this.proof.judge.believes(tip) ? tip : null);
    if (!this.chain || tip.number > this.chain.head.number) return tip;
    if (!this.chain.holds(tip.number, tip.id)) await this.reads.requireSameChain(url);
    return null;
  }

  /** Another branch was accepted: at once, the old chain is not believed for a moment longer. */
  private beginAnew(): void {
    this.chain = null;
    this.refused.forget();
    this.remembered.forget();
    this.fault = 'another branch was accepted, and is not verified yet';
  }

  /** Adds what this node has on top of the chain. */
  private async follow({ url, tip: shown, block }: Newest): Promise<void> {
    const chain = this.chain!;
    const tip = await this.place(url, shown);
    if (!tip) return;
    const isBelieved = await this.believes(tip);
    const { head } = chain;
    const ahead = tip.number - head.number;
    if (ahead > MOST_MISSED) return isBelieved ? this.start() : undefined;
    // The part below a tip that is not believed may be: otherwise nothing would be followed while each look meets such a tip.
    if (!isBelieved && ahead === 1) return;
    try {
      chain.extend(await this.branches.below(tip, chain, url));
      const held = chain.at(tip.number);
      if (block && held) this.bodies.add(block, held);
      if (!isBelieved && chain.head !== head) this.standing.headOf(url, chain.head);
    } catch (error) {
      if (error instanceof DoubtfulBlockError) this.reads.doubted(url, error);
      await this.reads.requireSameChain(url);
      if (!(error instanceof UndoesFinalError)) throw error;
      // A tip that the judge does not believe undoes nothing.
      if (isBelieved) await this.refused.refuse(error, chain);
    }
  }

  private async believes(tip: BlockHeader): Promise<boolean> {
    if (this.proof.judge.believes(tip)) return true;
    this.doubt(`block ${tip.number} is not believed: ${whyNotBelieved(tip)}`);
    await this.proof.doubt(tip);
    return this.proof.judge.believes(tip);
  }

  /** Compares all nodes and begins with the best head that enough witnesses have built on. */
  private async start(): Promise<void> {
    const remembered = this.chain?.final ?? (await this.remembered.find());
    const offers = await this.starts.offers();
    let fault: unknown;
    for (const { url, head } of offers) {
      try {
        if (!this.proof.judge.believes(head)) await this.proof.doubt(head);
        this.chain = await this.starts.below({ head, url }, remembered, this.chain);
        this.standing.know({ head: this.chain.head, final: this.chain.final! });
        for (const offer of offers)
          this.standing.headOf(offer.url, this.proof.judge.believes(offer.head) ? offer.head : null);
        return;
      } catch (error) {
        fault ??= error;
        if (error instanceof TooFewWitnessesError) await this.proof.doubt(null);
        if (!(error instanceof UndoesFinalError)) continue;
        await this.reads.requireSameChain(url).then(
          () => this.refused.refuse(error, this.chain),
          (other: unknown) => (fault = other),
        );
      }
    }
    throw fault instanceof UndoesFinalError ? new NodeUnavailableError(fault.message) : fault;
  }

  private async moved(): Promise<void> {
    this.newHeadAtMs = this.clock.monotonicMs();
    this.fault = '';
    this.bodies.forgetBelow(this.chain!.floor);
    await this.refused.moved(this.chain!);
    if (!(await this.remembered.keep(this.chain!))) this.beginAnew();
  }

  /** Logged once while it stays the same. */
  private doubt(fault: string): void {
    if (this.fault === '' && fault !== this.doubted) this.logger.warn((this.doubted = fault));
    this.fault = fault;
  }
}
