import type { ActSearch, FoundAct } from '../../chain/observer/block-acts';
import { NodeUnavailableError } from '../../chain/tron/node/node-errors';
import type { TimedView, WalletViews } from '../../chain/pool/wallets/wallet-view.repository';
import type { ViewDifference } from './view-difference';

/** What was found of one wallet until now. */
export interface WalletUse {
  readonly walletId: string;
  readonly wallet: string;
  /** Nothing is left to find up to its block. Null: that is not known yet. */
  readonly reading: TimedView | null;
  /** Acts of transactions that the outbox does not know. */
  readonly acts: readonly FoundAct[];
  /** What changed, and no block explains. */
  readonly differences: readonly ViewDifference[];
  readonly blocks: { readonly from: number; readonly to: number; readonly unread: number };
}

/** The stored reading, and what each node shows now. */
export interface ReadViews {
  readonly views: WalletViews;
  readonly readings: readonly TimedView[];
  readonly fault?: LookFault;
}

export interface Search {
  readonly search: ActSearch;
  readonly suspects: readonly WalletViews[];
  /** It has gone below the explained readings, or had no reason to. */
  isDeep: boolean;
  isDone: boolean;
}

export interface Judged {
  readonly newest: TimedView;
  /** `undecided`: by what may be in a block as well as not; the next reading tells. */
  readonly verdict: 'explained' | 'undecided' | 'suspect';
  /** In how many of its fields nothing of ours explains it. */
  readonly differences: number;
}

/** What could not be looked at of a wallet. */
export interface LookFault {
  readonly walletId: string;
  readonly wallet: string;
  readonly error: unknown;
}

export interface Looked {
  readonly uses: readonly WalletUse[];
  readonly faults: readonly LookFault[];
}

/** So far below a reading, a gateway's account may be older than the height that it says beside it. */
const BLOCKS_BELOW = 40;
const MOST_BLOCKS_BELOW = 1_200;
const SHORTEST_SLOT_MS = 3_000;

/** What shows most of a change comes first: what shows nothing of it must not become the explained reading; then the newest. */
export function byDifferences(one: Judged, other: Judged): number {
  return other.differences - one.differences || other.newest.until - one.newest.until;
}

/** By its last operation, where that is further below; never what was done before its first reading. */
export function lowestFor({ explained, newest, firstBlock }: WalletViews, { lowestMs }: ActSearch): number {
  const isLater = newest.view.operatedMs > explained.view.operatedMs;
  const slots = isLater ? Math.ceil((lowestMs - newest.view.operatedMs) / SHORTEST_SLOT_MS) : 0;
  const below = Math.min(MOST_BLOCKS_BELOW, Math.max(BLOCKS_BELOW, slots));
  return Math.max(firstBlock, explained.block - below) + 1;
}

export function explainedUse({ walletId, wallet }: WalletViews, reading: TimedView | null): WalletUse {
  return { walletId, wallet, reading, acts: [], differences: [], blocks: { from: 0, to: 0, unread: 0 } };
}

export function faultOf({ walletId, wallet }: WalletViews, error: unknown): LookFault {
  return { walletId, wallet, error };
}

export function lateFaults({ search: { floor, number }, suspects }: Search): LookFault[] {
  const error = new NodeUnavailableError(`blocks ${floor} to ${number} were not looked through in five minutes`);
  return suspects.map((views) => faultOf(views, error));
}

/** As a difference, where no block can say what it was. */
export function usedUpTo(usedBlock: number | null, explainedBlock: number): ViewDifference[] {
  if (usedBlock === null) return [];
  return [{ field: 'used_block', before: String(explainedBlock), after: String(usedBlock) }];
}
