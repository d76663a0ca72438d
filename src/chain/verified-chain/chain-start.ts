import { Injectable } from '@nestjs/common';
import { Shutdown } from '../../common/shutdown';
import { DoubtfulBlockError } from '../tron/node/block-answer';
import type { BlockHeader } from '../proof/block-header';
import { BlockReads } from '../tron/node/block-reads';
import type { BlockId } from '../proof/block-header';
import { NodeUnavailableError } from '../tron/node/node-errors';
import { NodeStanding } from '../tron/node/node-standing';
import { HeaderChain, UndoesFinalError } from '../proof/header-chain';
import { BlockClock } from './block-clock';
import { ChainProof } from './chain-proof';
import { MissedHeaders } from './missed-headers';

const HEADERS_A_READ = 24;
/** Below a head, so many headers are looked through for enough witnesses: fewer than eight of ten make blocks then. */
const MOST_HEADERS = 1_000;
/** Between two such searches at one node, doubled each time. */
const FIRST_AGAIN_MS = 2_000;
const LONGEST_AGAIN_MS = 60_000;

/** Perhaps it is not known any more who the witnesses are, or with which keys they sign. */
export class TooFewWitnessesError extends NodeUnavailableError {
  constructor({ number }: BlockHeader, remembered: BlockId | null) {
    const stall = remembered ? `, or none has become final since block ${remembered.number}` : '';
    super(`too few known witnesses have signed block ${number} and those below it${stall}`);
    this.name = 'TooFewWitnessesError';
  }
}

/** What a node shows as its newest block. */
export interface Offer {
  readonly url: string;
  readonly head: BlockHeader;
}

/** A branch that undoes a final block. */
export interface Undoing {
  /** Its newest final block. */
  readonly final: BlockId;
  /** Whether it has this block, and the chain that it undoes has not. @throws NodeUnavailableError */
  readonly has: (blockId: string) => Promise<boolean>;
  /** Its block at this height, by the node that shows the branch; null where that has none. @throws NodeUnavailableError */
  readonly idAt: (number: number) => Promise<string | null>;
}

/** Reads a chain from its head down to a final block: after a start, and after a pause of any length. */
@Injectable()
export class ChainStart {
  /** By node: a search through many headers that found too few witnesses is not begun again at once. */
  private readonly searched = new Map<string, { againMs: number; waitMs: number }>();

  constructor(
    private readonly reads: BlockReads,
    private readonly standing: NodeStanding,
    private readonly missed: MissedHeaders,
    private readonly shutdown: Shutdown,
    private readonly proof: ChainProof,
    private readonly clock: BlockClock,
  ) {}

  /** The offer of every node that answers, the longest first. @throws NodeUnavailableError when none does */
  async offers(): Promise<Offer[]> {
    const urls = [...new Set([...this.reads.urls, ...this.standing.behind('wallet')])];
    const shown = await Promise.allSettled(
      urls.map(async (url) => ({ url, head: await this.reads.newestHeader(url) })),
    );
    const offers = shown.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    if (offers.length > 0) return offers.toSorted((a, b) => b.head.number - a.head.number);
    throw shown.find((one) => one.status === 'rejected')?.reason ?? new NodeUnavailableError('none is configured');
  }

  /**
   * @param remembered a block that was final before: it has to be in this chain
   * @param known what is followed so far, and stays so where no head has become final above it
   * @throws UndoesFinalError
   * @throws TooFewWitnessesError
   * @throws NodeUnavailableError
   */
  async below(
    { head, url }: Offer,
    remembered: BlockId | null,
    known: HeaderChain | null = null,
  ): Promise<HeaderChain> {
    const { judge } = this.proof;
    const { againMs = 0, waitMs = FIRST_AGAIN_MS } = this.searched.get(url) ?? {};
    if (this.clock.monotonicMs() < againMs) throw new TooFewWitnessesError(head, remembered);
    let headers = [head];
    for (;;) {
      headers = [...(await this.headersBelow(headers[0]!, url)), ...headers];
      const [lowest, ...above] = headers;
      const chain = new HeaderChain(lowest!, judge);
      chain.extend(above);
      if (judge.believes(chain.head)) {
        if (remembered && chain.floor <= remembered.number) anchor(chain, remembered);
        if (chain.final) {
          if (remembered && remembered.number < chain.floor) await this.expect(remembered, url, chain);
          this.searched.delete(url);
          return chain;
        }
        if (known?.final && goesOn(known, headers)) return known;
      }
      if (headers.length > MOST_HEADERS)
        this.searched.set(url, {
          againMs: this.clock.monotonicMs() + waitMs,
          waitMs: Math.min(LONGEST_AGAIN_MS, waitMs * 2),
        });
      if (lowest!.number === 0 || headers.length > MOST_HEADERS) throw new TooFewWitnessesError(head, remembered);
    }
  }

  /**
   * The longest branch that the nodes offer, for an operator who decides whether it is to be gone by; null when it undoes nothing that was
   * final.
   * @throws NodeUnavailableError
   */
  async undoing(remembered: BlockId | null): Promise<Undoing | null> {
    await this.proof.prepare(null);
    const best = (await this.offers())[0]!;
    try {
      if (remembered === null || best.head.number >= remembered.number) {
        await this.below(best, remembered);
        return null;
      }
    } catch (error) {
      if (!(error instanceof UndoesFinalError)) throw error;
    }
    const chain = await this.below(best, null);
    const { number, id } = chain.final!;
    return {
      final: { number, id },
      has: (blockId) => this.has(best.url, chain, blockId, remembered),
      idAt: async (height) => (await this.reads.headerAt(best.url, height))?.id ?? null,
    };
  }

  /** A block of this branch alone. It has grown since the block was shown: what is below its headers here is read. */
  private async has(url: string, chain: HeaderChain, id: string, remembered: BlockId | null): Promise<boolean> {
    const number = numberOf(id);
    if (number === null || number > chain.head.number) return false;
    if (id === chain.final!.id) return true;
    if (number < (remembered?.number ?? 0) || chain.floor - number > MOST_HEADERS) return false;
    let below = [chain.at(chain.floor)!];
    while (below[0]!.number > number) below = [...(await this.headersBelow(below[0]!, url)), ...below];
    return chain.holds(number, id) || below.some((header) => header.id === id);
  }

  /** Linked up to this one. @throws the signal's reason when the service ends */
  private async headersBelow(top: BlockHeader, url: string): Promise<BlockHeader[]> {
    try {
      return await this.missed.below(top, HEADERS_A_READ, url, this.shutdown.signal);
    } catch (error) {
      if (error instanceof DoubtfulBlockError) this.reads.doubted(url, error);
      throw error;
    }
  }

  /** A node that keeps no blocks of that time cannot contradict; nor does a header that no witness has signed. */
  private async expect(remembered: BlockId, url: string, { head }: HeaderChain): Promise<void> {
    const shown = await this.reads.headerAt(url, remembered.number);
    if (!shown || shown.id === remembered.id) return;
    if (this.proof.judge.believes(shown)) throw new UndoesFinalError(remembered, head);
    throw this.doubtful(url, `block ${shown.number} is shown with another id, and no active witness signed it`);
  }

  private doubtful(url: string, reason: string): DoubtfulBlockError {
    const fault = new DoubtfulBlockError(reason);
    this.reads.doubted(url, fault);
    return fault;
  }
}

/** The height that a block id begins with; null when it is none. */
function numberOf(id: string): number | null {
  return /^[0-9a-f]{64}$/.test(id) ? Number(`0x${id.slice(0, 16)}`) : null;
}

/** Adds to the chain what these headers have on top of it; false when they do not reach down to it, or are no longer branch. */
function goesOn(known: HeaderChain, headers: readonly BlockHeader[]): boolean {
  const before = known.head;
  const shared = headers.findLastIndex(({ number, id }) => known.holds(number, id));
  const [lowest] = headers;
  if (shared < 0 && !known.holds(lowest!.number - 1, lowest!.parentId)) return false;
  known.extend(headers.slice(shared + 1));
  return known.head !== before;
}

function anchor(chain: HeaderChain, remembered: BlockId): void {
  // The nodes lag, or the chain was set back (`chain:accept-branch`).
  if (chain.head.number < remembered.number)
    throw new NodeUnavailableError(`the newest block ${chain.head.number} is below final block ${remembered.number}`);
  if (!chain.holds(remembered.number, remembered.id)) throw new UndoesFinalError(remembered, chain.head);
  chain.anchor(remembered.number);
}
