import { Injectable } from '@nestjs/common';
import { toHexAddress } from '../../chain/tron/addresses';
import type { FoundMove, Looked } from '../../chain/pool/wallets/move-search';
import { StakeMoves } from '../../chain/pool/wallets/stake-moves';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import { formatTrx } from '../../common/money/sun';
import { Sql } from '../../database/sql';
import type { OrderRow } from '../order.entity';
import { OWN_MOVES, STAKE_SINCE } from './shortage.statements';

/** An undelegation that none of our orders has made. */
export interface Taking {
  readonly tx_id: string;
  readonly block: number;
  readonly sun: string;
}

/** The accounts that took it, or why they are not known; null while there are blocks to look through. */
export type Proof = { readonly takenBy: readonly Taking[] } | { readonly unproved: string } | null;

/**
 * Stake does not vanish by a node's word: what is missing between a wallet and a receiver was taken by an undelegation of the wallet
 * that is in a block, and that none of our orders has made.
 */
@Injectable()
export class ShortageProof {
  constructor(
    private readonly sql: Sql,
    private readonly moves: StakeMoves,
  ) {}

  /**
   * Looks as far back as what is lent there now was lent, then as far as other orders of the pair overlap with that, one by one: each
   * may have been given another's stake. What others took counts once: less what they lent, and what orders have ended short of since.
   * The nodes have shown by this block that it is missing. Asks what was found so far, and waits for no node.
   */
  async find(order: OrderRow, wallet: WalletRow, missingSun: bigint, shownBlock: number): Promise<Proof> {
    const { wallet_id: walletId, receiver } = order;
    const [owner, to] = [toHexAddress(wallet.address), toHexAddress(receiver)];
    const since = async (timeMs: number | null) => (await this.sql.row(STAKE_SINCE, [walletId, receiver, timeMs]))!;
    let lowest = Number((await since(null)).lowest_block);
    for (;;) {
      const looked = this.moves.find(owner, to, shownBlock, lowest);
      if (looked === null) return null;
      const others = await this.ofOthers(receiver, looked.moves);
      const taken = others.filter(({ isLent }) => !isLent);
      // What they have locked cannot be taken in place of it.
      const lent = others.filter(({ isLent, lockedUntilMs }) => isLent && lockedUntilMs <= looked.newestMs);
      const before = await since(looked.timeMs);
      if (sumOf(taken) - sumOf(lent) - before.short_sun >= missingSun)
        return { takenBy: taken.map(({ txId, block, sun }) => ({ tx_id: txId, block, sun: sun.toString() })) };
      const next = Number(before.lowest_block);
      if (looked.isEnd || next >= lowest) return { unproved: unprovedText(missingSun, looked) };
      lowest = next;
    }
  }

  private async ofOthers(receiver: string, moves: readonly FoundMove[]): Promise<FoundMove[]> {
    const rows = await this.sql.rows(OWN_MOVES, [receiver, moves.map(({ txId }) => txId)]);
    const own = new Set(rows.map(({ tx_id: txId }) => txId));
    return moves.filter(({ txId }) => !own.has(txId));
  }
}

function sumOf(moves: readonly FoundMove[]): bigint {
  return moves.reduce((sum, { sun }) => sum + sun, 0n);
}

/** In the order's last error, and so in the finding of an overdue reclaim. */
function unprovedText(missingSun: bigint, { downTo, unread, isEnd }: Looked): string {
  const seen = isEnd ? `and no node shows the blocks below ${downTo}` : `down to block ${downTo}`;
  const unreadable = unread > 0 ? `, ${unread} of which could not be read` : '';
  return `the nodes show ${formatTrx(missingSun)} TRX less, but no block shows that somebody else took it back (${seen}${unreadable})`;
}
