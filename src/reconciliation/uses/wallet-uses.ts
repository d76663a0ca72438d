import { Injectable, Logger } from '@nestjs/common';
import { toHexAddress } from '../../chain/tron/addresses';
import { ActSearch, BlockActs } from '../../chain/observer/block-acts';
import { TransactionKinds } from '../../chain/transactions/kinds/transaction-kinds';
import type { ActKind } from '../../chain/proof/account-act';
import { SolidViews } from '../../chain/pool/wallets/solid-views';
import {
  type TimedView,
  WalletViewRepository,
  type WalletViews,
} from '../../chain/pool/wallets/wallet-view.repository';
import { Clock } from '../../common/clock';
import { Sql } from '../../database/sql';
import { ownMoves } from './own-moves';
import { KEPT_AMONG } from './use-quarantine.statements';
import {
  byDifferences,
  explainedUse,
  faultOf,
  type Judged,
  lateFaults,
  type LookFault,
  type Looked,
  lowestFor,
  type ReadViews,
  type Search,
  usedUpTo,
  type WalletUse,
} from './use-search';
import { narrowed, notChangedBy, unexplained, type ViewDifference } from './view-difference';

/** For all searches of a look together: what takes longer goes on with the next look. */
const LOOK_MS = 30_000;
/** A command has no next one. */
const LONGEST_LOOK_MS = 300_000;
/**
 * What wallets did that the outbox does not know. While our own transactions explain what every node shows that answers, no block is
 * read; the stored reading alone is one node's word, which may be an old state for ever. Only when they do not, or a block that was read
 * anyway has shown such a transaction, the blocks since the last explained reading are looked through. Reads only. One wallet that
 * cannot be looked at keeps no other from it.
 */
@Injectable()
export class WalletUses {
  private readonly logger = new Logger(WalletUses.name);
  private looking: Promise<Looked> | null = null;
  /** Each goes on where it was, for the wallets that it was begun for; one that becomes suspect meanwhile gets its own. */
  private searches: readonly Search[] = [];

  constructor(
    private readonly sql: Sql,
    private readonly views: WalletViewRepository,
    private readonly solid: SolidViews,
    private readonly blocks: BlockActs,
    private readonly kinds: TransactionKinds,
    private readonly clock: Clock,
  ) {}

  /**
   * By the readings that are taken anyway, and where there are several nodes by what each shows now; what was found until now, also of
   * searches that go on. Those who ask meanwhile share it.
   */
  look(signal?: AbortSignal): Promise<Looked> {
    this.looking ??= this.lookOn(signal).finally(() => (this.looking = null));
    return this.looking;
  }

  /** By readings of this moment. What is not looked through in five minutes is a fault. */
  async lookNow(): Promise<Looked> {
    const judged = await this.judgeAll(await this.readAll());
    const { faults } = judged;
    const { begun, faults: ofBegin } = await this.begin(judged.suspects);
    const untilMs = this.clock.monotonicMs() + LONGEST_LOOK_MS;
    const uses = [...judged.explained];
    for (const one of begun) {
      const found = await this.goOn(one, untilMs);
      uses.push(...found.uses);
      faults.push(...(found.faults.length > 0 || one.isDone ? found.faults : lateFaults(one)));
    }
    return { uses, faults: [...faults, ...ofBegin] };
  }

  private async lookOn(signal?: AbortSignal): Promise<Looked> {
    const judged = await this.judgeAll(this.solid.hasSeveral ? await this.readAll() : await this.readStored());
    this.searches = this.searches.filter(({ search }) => this.blocks.isStill(search));
    const isSearched = ({ walletId }: WalletViews) =>
      this.searches.some(({ suspects }) => suspects.some((one) => one.walletId === walletId));
    const { begun, faults } = await this.begin(judged.suspects.filter((views) => !isSearched(views)));
    this.searches = [...this.searches, ...begun];
    const found: Looked[] = [{ uses: judged.explained, faults: [...judged.faults, ...faults] }];
    for (const one of this.searches) {
      const untilMs = this.clock.monotonicMs() + LOOK_MS / this.searches.length;
      found.push(await this.goOn(one, untilMs, signal));
    }
    this.searches = this.searches.filter(({ isDone }) => !isDone);
    return { uses: found.flatMap(({ uses }) => uses), faults: found.flatMap((one) => one.faults) };
  }

  private async readStored(): Promise<ReadViews[]> {
    return (await this.views.list()).map((views) => ({ views, readings: [views.newest] }));
  }

  private async readAll(): Promise<ReadViews[]> {
    return Promise.all((await this.readStored()).map(({ views }) => this.readNow(views)));
  }

  /** One that no node shows now is as it was read last. */
  private async readNow(views: WalletViews): Promise<ReadViews> {
    const { newest } = views;
    try {
      const now = await this.solid.all(views.address);
      // By the database's clock: an earlier time leaves nothing out, another clock's might.
      return { views, readings: [newest, ...now.map((reading) => ({ ...reading, at: newest.at }))] };
    } catch (error) {
      return { views, readings: [newest], fault: faultOf(views, error) };
    }
  }

  private async judgeAll(all: readonly ReadViews[]) {
    const explained: WalletUse[] = [];
    const suspects: WalletViews[] = [];
    const faults = all.flatMap(({ fault }) => fault ?? []);
    for (const { views, readings } of all) {
      try {
        const judged: Judged[] = [];
        // A node that is behind the explained reading shows an older state.
        for (const newest of readings.filter(({ block }) => block > views.explained.block))
          judged.push(await this.judge({ ...views, newest }));
        const [suspect] = judged.filter(({ verdict }) => verdict === 'suspect').toSorted(byDifferences);
        // As of the lowest one: a node that is further behind has shown nothing of the blocks above.
        const [lowest] = judged.toSorted((one, other) => one.newest.block - other.newest.block);
        if (suspect) suspects.push({ ...views, newest: suspect.newest });
        else if (lowest && judged.every(({ verdict }) => verdict === 'explained'))
          explained.push(explainedUse(views, lowest.newest));
      } catch (error) {
        faults.push(faultOf(views, error));
      }
    }
    return { explained, suspects, faults };
  }

  /** Goes on until then. What was found of its wallets so far. */
  private async goOn(one: Search, untilMs: number, signal?: AbortSignal): Promise<Looked> {
    const uses: WalletUse[] = [];
    const faults: LookFault[] = [];
    const unread = await this.readDown(one, untilMs, signal).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    signal?.throwIfAborted();
    for (const views of one.suspects) {
      if (unread) faults.push(faultOf(views, unread.error));
      try {
        uses.push(await this.conclude(views, one));
      } catch (error) {
        faults.push(faultOf(views, error));
      }
    }
    return { uses, faults };
  }

  /** What a difference is of may be below a reading that did not show it: the search goes on there, once. */
  private async readDown(one: Search, untilMs: number, signal?: AbortSignal): Promise<void> {
    const { search, suspects } = one;
    await this.blocks.read(search, untilMs, signal);
    if (search.isOver && !search.isEnd && !one.isDeep) {
      const floors: number[] = [];
      for (const views of suspects) {
        const { kinds } = await this.foundBy(views, search);
        if ((await this.left(views, views.newest, kinds, search)).length > 0) floors.push(lowestFor(views, search));
      }
      search.floor = Math.min(search.floor, ...floors);
      one.isDeep = true;
      await this.blocks.read(search, untilMs, signal);
    }
    one.isDone = search.isOver;
  }

  private async begin(suspects: readonly WalletViews[]): Promise<{ begun: Search[]; faults: LookFault[] }> {
    if (suspects.length === 0) return { begun: [], faults: [] };
    const upTo = Math.max(...suspects.map(({ newest }) => newest.until));
    const floor = Math.min(...suspects.map(({ explained }) => explained.block)) + 1;
    const owners = new Set(suspects.map(({ address }) => toHexAddress(address)));
    try {
      const top = await this.blocks.finalFrom(upTo);
      this.logger.warn(
        `Wallets changed by more than the service has done: ${suspects.map(({ wallet }) => wallet).join(', ')}. Blocks ${floor} to ${top.number} are looked through`,
      );
      return {
        begun: [{ search: new ActSearch(top, floor, owners), suspects, isDeep: false, isDone: false }],
        faults: [],
      };
    } catch (error) {
      return { begun: [], faults: suspects.map((views) => faultOf(views, error)) };
    }
  }

  private async judge({ address, explained, newest, usedBlock }: WalletViews): Promise<Judged> {
    const moves = await ownMoves(this.sql, this.kinds, address, explained, newest.until);
    const inBlocks = moves.filter(({ block }) => block !== null);
    const differences = unexplained(explained, newest, moves).length;
    if (differences > 0 || (usedBlock !== null && usedBlock <= newest.block))
      return { newest, verdict: 'suspect', differences };
    if (unexplained(explained, newest, inBlocks).length > 0) return { newest, verdict: 'undecided', differences };
    return { newest: narrowed(explained, newest, inBlocks) ?? newest, verdict: 'explained', differences };
  }

  private async conclude(views: WalletViews, { search, isDone }: Search): Promise<WalletUse> {
    const { address, explained, newest, usedBlock } = views;
    const { acts, kinds } = await this.foundBy(views, search);
    const blocks = { from: search.floor, to: search.top.number, unread: search.unread + search.left };
    // Its wallet is paused at once for what was found; blocks that are not read yet may have more.
    if (!isDone) return { ...explainedUse(views, null), acts: acts.filter(({ block }) => block > explained.block) };
    // What was found is not all that was done, perhaps, where no node shows some of the blocks.
    const left = (reading: TimedView) => this.left(views, reading, blocks.unread > 0 ? [] : kinds, search);
    const use = { ...explainedUse(views, newest), acts, blocks };
    const differences = await left(newest);
    if (differences.length === 0)
      return { ...use, differences: blocks.unread > 0 ? usedUpTo(usedBlock, explained.block) : [] };
    // One node's word alone makes no difference where another node contradicts it, or cannot be asked; nor is the other's word enough to stop
    // looking at these blocks.
    const readings = await this.solid.all(address);
    const isBorneOut = readings.length > 1 || !this.solid.hasSeveral;
    if (isBorneOut && (await this.allDiffer(readings, left))) return { ...use, differences };
    const fault = isBorneOut ? 'contradict each other' : 'are the word of a single node, and no block explains them';
    this.logger.warn(`Readings of ${views.wallet} ${fault}; the next run looks again`);
    return { ...use, reading: null };
  }

  private async allDiffer(
    readings: readonly TimedView[],
    left: (reading: TimedView) => Promise<readonly ViewDifference[]>,
  ): Promise<boolean> {
    for (const reading of readings) if ((await left(reading)).length === 0) return false;
    return true;
  }

  /** What was found below the explained reading before is what that reading shows: it explains no difference to it. */
  private async foundBy({ walletId, address, explained, firstBlock }: WalletViews, search: ActSearch) {
    const owner = toHexAddress(address);
    const ofWallet = [...search.acts.values()].filter((act) => act.owner === owner && act.block > firstBlock);
    const foreign = await this.blocks.foreign(ofWallet);
    const below = foreign.filter(({ block }) => block <= explained.block).map(({ txId }) => txId);
    const kept = below.length > 0 ? await this.sql.rows(KEPT_AMONG, [walletId, below]) : [];
    const acts = foreign.filter(({ txId }) => !kept.some((one) => one.tx_id === txId));
    return { acts, kinds: acts.map(({ kind }) => kind) };
  }

  /** What neither our own transactions nor acts of these kinds explain. */
  private async left(
    { address, explained }: WalletViews,
    reading: TimedView,
    kinds: readonly ActKind[],
    { floor }: ActSearch,
  ) {
    const moves = await ownMoves(this.sql, this.kinds, address, explained, reading.until, floor);
    return notChangedBy(unexplained(explained, reading, moves), kinds);
  }
}
