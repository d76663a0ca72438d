import { BlockSubscribers } from '../../../../src/chain/observer/block-subscribers';
import type { ChainTransactionRepository } from '../../../../src/chain/transactions/outbox/chain-transaction.repository';
import type { WalletViewRepository } from '../../../../src/chain/pool/wallets/wallet-view.repository';
import { WalletActivity } from '../../../../src/chain/pool/wallets/wallet-activity';

describe('a wallet that somebody else has used', () => {
  const activity = () =>
    new WalletActivity({} as ChainTransactionRepository, {} as WalletViewRepository, new BlockSubscribers());

  it('is to be read until a reading shows the use: one at an older solid block does not', () => {
    const wallets = activity();
    wallets.usedBy('w', 10);
    wallets.wasRead('w', 9);
    expect([wallets.shownBy('w', 9), wallets.shownBy('w', 10)]).toEqual([false, true]);
    wallets.wasRead('w', 10);
    expect(wallets.shownBy('w', 11)).toBe(false);
  });

  it('is to be read for its newest use, in whichever order blocks are seen', () => {
    const wallets = activity();
    for (const block of [10, 12, 11]) wallets.usedBy('w', block);
    wallets.wasRead('w', 11);
    expect(wallets.shownBy('w', 12)).toBe(true);
  });
});
