import { Injectable, Logger } from '@nestjs/common';
import { toHexAddress } from '../../chain/addresses';
import { ActSearch, BlockActs, type FoundAct } from '../../chain/follower/block-acts';
import { NodeUnavailableError } from '../../chain/node/node-errors';
import { SolidViews } from '../../chain/wallets/solid-views';
import { type TimedView, WalletViewRepository, type WalletViews } from '../../chain/wallets/wallet-view.repository';
import { Clock } from '../../common/clock';
import { Sql } from '../../database/sql';
import { ownMoves } from './own-moves';
import { notChangedBy, unexplained, type ViewDifference } from './view-difference';

/** What was found of one wallet. */
export interface WalletUse {
  readonly walletId: string;
  readonly wallet: string;
  /** Nothing is left to find up to its block. Null: that is not known yet. */
  readonly reading: TimedView | null;
  /** Of transactions that the outbox does not know. */
  readonly acts: readonly FoundAct[];
  /** What changed, and no block explains. */
  readonly differences: readonly ViewDifference[];
  readonly blocks: { readonly from: number; readonly to: number; readonly unread: number };
}

interface Search {
  readonly search: ActSearch;
  readonly suspects: readonly WalletViews[];
}

/** A search that takes longer goes on with the next look. */
const LOOK_MS = 30_000;
/** A command has no next one. */
const LONGEST_LOOK_MS = 300_000;

/**
 * What wallets did that the outbox does not know. A reading that our own transactions explain costs nothing: no block is read. Only
 * when one does not, or a block that was read anyway has shown such a transaction, the blocks since the last explained
 * reading are looked through. Reads only.
 */
@Injectable()
export class WalletUses {
  private readonly logger = new Logger(WalletUses.name);
  private looking: Promise<WalletUse[]> | null = null;
  /** Goes on where it was, for the wallets that it was begun for. */
  private underWay: Search | null = null;

  constructor(
    private readonly sql: Sql,
    private readonly views: WalletViewRepository,
    private readonly solid: SolidViews,
    private readonly blocks: BlockActs,
    private readonly clock: Clock,
  ) {}

  /** By the readings that are taken anyway. Those who ask meanwhile share it. @throws NodeUnavailableError */
  look(signal?: AbortSignal): Promise<WalletUse[]> {
    this.looking ??= this.lookOn(signal).finally(() => (this.looking = null));
    return this.looking;
  }

  /** By readings of this moment. What is not looked through in five minutes counts as blocks that nobody shows. @throws NodeUnavailableError */
  async lookNow(): Promise<WalletUse[]> {
    const all = await Promise.all((await this.views.list()).map((views) => this.readNow(views)));
    const { explained, suspects } = await this.judgeAll(all);
    if (suspects.length === 0) return explained;
    const begun = await this.begin(suspects);
    await this.blocks.read(begun.search, this.clock.monotonicMs() + LONGEST_LOOK_MS);
    return [...explained, ...(await this.concludeAll(begun))];
  }

  private async lookOn(signal?: AbortSignal): Promise<WalletUse[]> {
    const untilMs = this.clock.monotonicMs() + LOOK_MS;
    const { explained, suspects } = await this.judgeAll(await this.views.list());
    if (this.underWay && !this.blocks.isStill(this.underWay.search)) this.underWay = null;
    if (!this.underWay && suspects.length === 0) return explained;
    const underWay = (this.underWay ??= await this.begin(suspects));
    await this.blocks.read(underWay.search, untilMs, signal);
    if (!underWay.search.isOver) return explained;
    this.underWay = null;
    return [...explained, ...(await this.concludeAll(underWay))];
  }

  /** One that cannot be read now is as it was read last. */
  private async readNow(views: WalletViews): Promise<WalletViews> {
    try {
      return { ...views, newest: await this.solid.first(views.address) };
    } catch (error) {
      if (error instanceof NodeUnavailableError) return views;
      throw error;
    }
  }

  private async judgeAll(all: readonly WalletViews[]): Promise<{ explained: WalletUse[]; suspects: WalletViews[] }> {
    const explained: WalletUse[] = [];
    const suspects: WalletViews[] = [];
    for (const views of all) {
      if (views.newest.block <= views.explained.block) continue;
      const verdict = await this.judge(views);
      if (verdict === 'suspect') suspects.push(views);
      if (verdict === 'explained') explained.push(explainedUse(views, views.newest));
    }
    return { explained, suspects };
  }

  private async concludeAll({ search, suspects }: Search): Promise<WalletUse[]> {
    const uses: WalletUse[] = [];
    for (const views of suspects) uses.push(await this.conclude(views, search));
    return uses;
  }

  private async begin(suspects: readonly WalletViews[]): Promise<Search> {
    const upTo = Math.max(...suspects.map(({ newest }) => newest.until));
    const floor = Math.min(...suspects.map(({ explained }) => explained.block)) + 1;
    const owners = new Set(suspects.map(({ address }) => toHexAddress(address)));
    const top = await this.blocks.finalFrom(upTo);
    this.logger.warn(
      `Wallets changed by more than the service has done: ${suspects.map(({ wallet }) => wallet).join(', ')}. Blocks ${floor} to ${top.number} are looked through`,
    );
    return { search: new ActSearch(top, floor, owners), suspects };
  }

  /** `undecided`: by what may be in a block as well as not; the next reading tells. */
  private async judge({
    address,
    explained,
    newest,
    usedBlock,
  }: WalletViews): Promise<'explained' | 'undecided' | 'suspect'> {
    if (usedBlock !== null && usedBlock <= newest.block) return 'suspect';
    const moves = await ownMoves(this.sql, address, explained, newest.until);
    if (
      unexplained(
        explained,
        newest,
        moves.filter(({ block }) => block !== null),
      ).length === 0
    )
      return 'explained';
    return unexplained(explained, newest, moves).length === 0 ? 'undecided' : 'suspect';
  }

  private async conclude(views: WalletViews, search: ActSearch): Promise<WalletUse> {
    const { address, explained, newest } = views;
    const owner = toHexAddress(address);
    const found = [...search.acts.values()].filter((act) => act.owner === owner && act.block > explained.block);
    const acts = await this.blocks.foreign(found);
    const kinds = acts.map(({ kind }) => kind);
    const blocks = { from: search.floor, to: search.top.number, unread: search.unread + search.left };
    const left = async (reading: TimedView) => {
      const moves = await ownMoves(this.sql, address, explained, reading.until);
      return notChangedBy(unexplained(explained, reading, moves), kinds);
    };
    const use = { ...explainedUse(views, newest), acts, blocks };
    const differences = await left(newest);
    if (differences.length === 0) return use;
    // One node's word alone is no difference, where another one says otherwise; nor is the other's word enough to look at these blocks no more.
    for (const reading of await this.solid.all(address)) {
      if ((await left(reading)).length > 0) continue;
      this.logger.warn(`Readings of ${views.wallet} contradict each other; the next run looks again`);
      return { ...use, reading: null };
    }
    return { ...use, differences };
  }
}

function explainedUse({ walletId, wallet }: WalletViews, reading: TimedView): WalletUse {
  return { walletId, wallet, reading, acts: [], differences: [], blocks: { from: 0, to: 0, unread: 0 } };
}
