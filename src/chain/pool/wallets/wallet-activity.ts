import { Injectable } from '@nestjs/common';
import { toHexAddress } from '../../tron/addresses';
import type { Block } from '../../tron/node/block-answer';
import { BlockSubscribers } from '../../observer/block-subscribers';
import { ChainTransactionRepository } from '../../transactions/outbox/chain-transaction.repository';
import { WalletViewRepository } from './wallet-view.repository';
import type { WalletRow } from './wallet-row';

/**
 * Which pool wallets somebody else has used: what was read of them is of a time before that. What the next reading has to show is kept in
 * memory only, for a wallet is read regularly as well, and blocks are read in full only while something of ours is open. That
 * somebody has used it is kept, and looked into (reconciliation/uses).
 */
@Injectable()
export class WalletActivity {
  /** By address, in hex. */
  private wallets = new Map<string, string[]>();
  /** By wallet: the newest block by which it was used. */
  private readonly usedAt = new Map<string, number>();

  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly views: WalletViewRepository,
    blocks: BlockSubscribers,
  ) {
    blocks.add({ name: 'wallet activity', wantsBodies: () => false, onHead: (block) => this.seen(block) });
  }

  know(wallets: readonly WalletRow[]): void {
    this.wallets = new Map();
    for (const { id, address } of wallets) {
      const owner = toHexAddress(address);
      this.wallets.set(owner, [...(this.wallets.get(owner) ?? []), id]);
    }
  }

  /** With each block that the follower reads in full, of whichever fork. */
  async seen({ number, owners }: Block): Promise<void> {
    const ofWallets = [...owners].filter(([, owner]) => this.wallets.has(owner));
    if (ofWallets.length === 0) return;
    const ours = await this.transactions.findKnown(ofWallets.map(([txId]) => txId));
    const used = new Set(ofWallets.flatMap(([txId, owner]) => (ours.has(txId) ? [] : (this.wallets.get(owner) ?? []))));
    if (used.size === 0) return;
    await this.views.used([...used], number);
    for (const id of used) this.usedBy(id, number);
  }

  /** A node refused a transaction of it by what it knew at this height. */
  usedBy(walletId: string, block: number): void {
    this.usedAt.set(walletId, Math.max(block, this.usedAt.get(walletId) ?? 0));
  }

  /** Whether a reading at this solid block would show what a newer one than the last may not have shown. */
  shownBy(walletId: string, solidBlock: number): boolean {
    const usedAt = this.usedAt.get(walletId);
    return usedAt !== undefined && usedAt <= solidBlock;
  }

  wasRead(walletId: string, block: number): void {
    if (this.shownBy(walletId, block)) this.usedAt.delete(walletId);
  }
}
