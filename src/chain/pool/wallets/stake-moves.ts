import { Injectable } from '@nestjs/common';
import { BackgroundJob } from '../../../common/background-job';
import { Shutdown } from '../../../common/shutdown';
import { toHexAddress } from '../../tron/addresses';
import { DoubtfulBlockError, type ShownMoves } from '../../tron/node/block-answer';
import type { BlockHeader } from '../../proof/block-header';
import { BlockReads, MOST_BLOCKS_A_READ } from '../../tron/node/block-reads';
import { withCallPriority } from '../../tron/node/call-priority';
import { PoolWallets } from './pool-wallets';
import { BlockClock } from '../../verified-chain/block-clock';
import { type Looked, MoveSearch } from './move-search';
import { VerifiedChain } from '../../verified-chain/verified-chain';

/** A look ends after so many reads, or so long: an order that needs more asks again. */
const MOST_READS_A_LOOK = 20;
const LOOK_MS = 5_000;
/** So many of the blocks that could not be read are tried again with each look. */
const MOST_AGAIN = 5;

/**
 * What final blocks show of the stake that was moved between a pool wallet and a receiver, by whatever transaction. Each block is read
 * once, for all pairs, back in time, while those who ask go on.
 */
@Injectable()
export class StakeMoves {
  /** From the newest down; no caller has needed the blocks between two searches, or they are being read. */
  private searches: MoveSearch[] = [];
  private isLooking = false;
  /** What was asked for since the look began. */
  private lowest = 0;
  private isNewerNeeded = false;

  constructor(
    private readonly reads: BlockReads,
    private readonly chain: VerifiedChain,
    private readonly clock: BlockClock,
    private readonly wallets: PoolWallets,
    private readonly job: BackgroundJob,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * From a block at or above `top` down to `lowest`, or to where no node has more; null while that is being looked through. Addresses are
   * `41…` in hex.
   */
  find(owner: string, receiver: string, top: number, lowest: number): Looked | null {
    this.forgetOtherBranch();
    const search = this.searches.find((one) => one.covers(top, lowest));
    // What no node has shown is looked for again, for the next time.
    if (!search || search.isEnd || search.unread.size > 0) this.lookFor(top, lowest);
    return search?.shown(owner, receiver, lowest) ?? null;
  }

  /** When no order needs it. */
  forget(): void {
    this.searches = [];
  }

  private lookFor(top: number, lowest: number): void {
    this.lowest = this.isLooking ? Math.min(this.lowest, lowest) : lowest;
    const { final } = this.chain.headers ?? {};
    const isNewer = top > (this.searches[0]?.top.number ?? -1);
    // A node's word for a block far above is nothing to begin with again and again.
    this.isNewerNeeded ||= isNewer && top <= (final?.number ?? -1);
    if (this.isLooking) return;
    this.isLooking = true;
    const look = () => withCallPriority('resends', () => this.look());
    void this.job.runAsked('The search for stake that others took', look).finally(() => (this.isLooking = false));
  }

  /** @throws NodeUnavailableError */
  private async look(): Promise<void> {
    this.beginWhereNeeded(this.chain.tips().final);
    // A wallet that is added from now on lends in later blocks than these.
    const owners = new Set((await this.wallets.list()).map(({ address }) => toHexAddress(address)));
    const untilMs = this.clock.monotonicMs() + LOOK_MS;
    for (let reads = 0; reads < MOST_READS_A_LOOK && this.clock.monotonicMs() < untilMs; reads++) {
      const [newest, older] = this.searches;
      if (!newest || this.shutdown.signal.aborted) return;
      const floor = Math.max(this.lowest, older ? older.top.number + 1 : 0);
      if (newest.next < floor || !(await this.readDown(newest, floor, owners))) break;
      if (newest.next === older?.top.number) this.joinOlder(newest, older);
    }
    const [newest] = this.searches;
    for (const [number, id] of [...(newest?.unread ?? [])].slice(0, MOST_AGAIN))
      await this.readAgain(newest!, number, id, owners);
  }

  /** The chain may be on another branch now, which an operator has accepted. */
  private forgetOtherBranch(): void {
    const { headers } = this.chain;
    const [newest] = this.searches;
    if (!newest || !headers) return;
    const { number, id } = newest.top;
    if (number >= headers.floor && !headers.holds(number, id)) this.forget();
  }

  private beginWhereNeeded(final: BlockHeader): void {
    if (this.searches.length > 0 && !this.isNewerNeeded) return;
    this.isNewerNeeded = false;
    const begun = this.searches.filter(({ top, next }) => next < top.number);
    this.searches = [new MoveSearch(final), ...begun];
  }

  /** Older blocks that the newer ones do not lead to are of a branch that was given up. */
  private joinOlder(newest: MoveSearch, older: MoveSearch): void {
    const isSameChain = newest.id === older.top.id;
    this.searches = isSameChain ? [newest, ...this.searches.slice(2)] : [newest];
    if (isSameChain) newest.join(older);
  }

  /** False when no node leads on. */
  private async readDown(search: MoveSearch, floor: number, owners: ReadonlySet<string>): Promise<boolean> {
    const { next, id } = search;
    const blocks = await this.proved(Math.max(floor, next - MOST_BLOCKS_A_READ + 1), next, id);
    for (const block of blocks) {
      search.keep(block, owners);
      search.goBelow(block.header);
    }
    return blocks.length > 0 || (await this.goBy(search));
  }

  /** No node shows what is in this block as the chain has it: its header leads on. Nodes that fail are no end. */
  private async goBy(search: MoveSearch): Promise<boolean> {
    const { next, id } = search;
    for (const url of this.reads.urls) {
      const header = await this.reads.headerAt(url, next).catch(() => undefined);
      search.isEnd ||= header !== undefined;
      if (header?.id !== id) continue;
      search.unread.set(next, id);
      search.goBelow(header);
      return true;
    }
    return false;
  }

  /** Those that fail again are tried again last. */
  private async readAgain(search: MoveSearch, number: number, id: string, owners: ReadonlySet<string>): Promise<void> {
    const [block] = await this.proved(number, number, id);
    search.unread.delete(number);
    if (block) search.keep(block, owners);
    else search.unread.set(number, id);
  }

  /** From the top down, as far as a node shows what the chain has. Other nodes that have shown something else there are doubted then. */
  private async proved(from: number, to: number, id: string): Promise<ShownMoves[]> {
    const faulty: string[] = [];
    for (const url of this.reads.urls) {
      const shown = await this.reads.stakeMoves(url, from, to).catch((): ShownMoves[] => []);
      const blocks = linked(shown, id);
      if (blocks.length === 0 && shown.at(-1)?.header.number === to) faulty.push(url);
      if (blocks.length === 0) continue;
      const fault = new DoubtfulBlockError(`block ${to} was not shown as the final blocks have it`);
      for (const other of faulty) this.reads.doubted(other, fault);
      return blocks;
    }
    return [];
  }
}

function linked(shown: readonly ShownMoves[], id: string): ShownMoves[] {
  const blocks: ShownMoves[] = [];
  for (const block of shown.toReversed()) {
    if (block.header.id !== (blocks.at(-1)?.header.parentId ?? id) || !block.body) break;
    blocks.push(block);
  }
  return blocks;
}
