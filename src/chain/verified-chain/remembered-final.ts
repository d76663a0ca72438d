import type { DatabaseIdentity } from '../../database/identity/database-identity';
import type { ChainIdentityRepository, StoredFinal } from '../tron/node/chain-identity.repository';
import type { BlockId } from '../proof/block-header';
import type { HeaderChain } from '../proof/header-chain';
import type { BlockClock } from './block-clock';
import { LIFETIME_MS } from './transaction-lifetime';

/** The database remembers a final block so often, in blocks or block time, whatever comes first. */
const REMEMBERED_BLOCKS = 20;
const REMEMBERED_MS = 60_000;
/** A process that starts finds none older than this, unless no process ran meanwhile or the database is one of an earlier state. */
const DOUBTFUL_AFTER_MS = 120_000;
/** As old as that by a clock, with the minute that a block takes to be final, and half of one for a clock that is off. */
const DOUBTFUL_AGE_MS = 210_000;
/** A head that is so near to the process's own time is of now. */
const NOW_MS = 120_000;
/**
 * After a comparison began, what a missing row has signed has landed or expired: the lifetime of bytes, and half a minute by which the head
 * of another instance may have been ahead of ours, and a block late.
 */
export const COMPARED_AFTER_MS = LIFETIME_MS + 30_000;

/**
 * The final block that the database keeps for all instances. They replace it by newer ones alone, so that any other one there is an
 * operator's decision for a branch without it.
 */
export class RememberedFinal {
  /** The database has had one as high as this: a lower one is not merely an older one of the same chain. */
  private number = -1;
  private timeMs = Number.NEGATIVE_INFINITY;
  /** On the monotonic clock: when this process last knew that the database has it. */
  private keptAtMs = Number.NEGATIVE_INFINITY;
  /** What was there before is gone: whether because an operator has accepted another branch or because rows are older, is not known. */
  private isLost = false;
  private atRefusal: BlockId | null = null;

  constructor(
    private readonly memory: ChainIdentityRepository,
    private readonly identity: Pick<DatabaseIdentity, 'doubt' | 'doubtOld'>,
    private readonly clock: Pick<BlockClock, 'now' | 'monotonicMs'>,
  ) {}

  /** A database whose final block is lower has lost rows since; null before it was looked at. */
  get known(): number | null {
    return this.number < 0 ? null : this.number;
  }

  find(): Promise<BlockId | null> {
    return this.memory.findFinal();
  }

  /** Another branch is gone by from now on, perhaps a lower one. */
  forget(): void {
    this.isLost ||= this.number >= 0;
    [this.number, this.timeMs] = [-1, Number.NEGATIVE_INFINITY];
  }

  /**
   * Now and then, as the chain moves. A database that may be one of an earlier state is doubted before its final block is replaced: a
   * crash in between leaves the older block for the next process to find. False when an operator has accepted another branch.
   */
  async keep(chain: HeaderChain): Promise<boolean> {
    const final = chain.final!;
    const isRecent = final.number < this.number + REMEMBERED_BLOCKS && final.timeMs < this.timeMs + REMEMBERED_MS;
    if (isRecent) return true;
    const stored = await this.memory.findFinal();
    if (this.isReplaced(stored, chain)) return false;
    if (this.isLost || this.isLower(stored)) await this.identity.doubt(this.known);
    // A comparison begins with the head. Until blocks of that time are final, the old block stays, without a second pause.
    if (this.isOld(stored, chain.head.timeMs) || this.isBeforeStart(stored, final.timeMs))
      await this.identity.doubtOld(DOUBTFUL_AGE_MS - COMPARED_AFTER_MS);
    const isThere = stored !== null && stored.number >= final.number;
    if (!isThere && !(await this.memory.rememberFinal(final, stored))) return true;
    [this.number, this.timeMs, this.isLost] = [final.number, final.timeMs, false];
    this.keptAtMs = this.clock.monotonicMs();
    return true;
  }

  private isLower(stored: StoredFinal | null): boolean {
    return this.number >= 0 && (stored === null || stored.number < this.number);
  }

  /** Between the final block that is stored and this time, somebody else may have gone by rows that are not there. */
  private isBeforeStart(stored: StoredFinal | null, timeMs: number): boolean {
    if (this.number >= 0 || stored === null) return false;
    return stored.timeMs === null || timeMs - stored.timeMs > DOUBTFUL_AFTER_MS;
  }

  /**
   * By a clock, for the chain may be behind, as a node that catches up shows it. A process that has kept a block goes by its own monotonic
   * clock: the database's may have been set. At a start that is the head's time, if it is now by the process's own clock, else the database's
   * clock. Genesis has no time.
   */
  private isOld(stored: StoredFinal | null, headTimeMs: number): boolean {
    if (stored === null || stored.timeMs === null || stored.timeMs === 0) return false;
    if (this.number >= 0) return this.clock.monotonicMs() - this.keptAtMs > DOUBTFUL_AGE_MS;
    const isHeadNow = Math.abs(this.clock.now().getTime() - headTimeMs) < NOW_MS;
    return (isHeadNow ? headTimeMs - stored.timeMs : (stored.ageMs ?? 0)) > DOUBTFUL_AGE_MS;
  }

  /**
   * A branch that undoes this block is refused from now on.
   * @param chain what the block is of; null when a process that starts has it from the database
   * @returns false when an operator has accepted the branch before
   */
  async refuse(final: BlockId, chain: HeaderChain | null): Promise<boolean> {
    this.atRefusal = chain ? await this.seenRefusing(final, chain) : final;
    return this.atRefusal !== null;
  }

  /** An operator has put another final block in the place of the one that was there when the branch was refused. */
  async isAccepted(chain: HeaderChain | null): Promise<boolean> {
    const before = this.atRefusal;
    const now = await this.memory.findFinal();
    if (!now || now.id === before?.id) return false;
    // Another instance that does not see the branch goes on with this chain.
    return !(now.number > (before?.number ?? -1) && chain?.holds(now.number, now.id));
  }

  private async seenRefusing(final: BlockId, chain: HeaderChain): Promise<BlockId | null> {
    const stored = await this.memory.findFinal();
    if (this.isReplaced(stored, chain)) return null;
    return (await this.memory.rememberFinal(final, stored)) ? final : (stored ?? final);
  }

  private isReplaced(stored: BlockId | null, chain: HeaderChain): boolean {
    if (!stored || !chain.final || stored.number > chain.final.number) return false;
    if (stored.number < chain.floor) return stored.number < this.number;
    return !chain.holds(stored.number, stored.id);
  }
}
