import { Command } from 'nest-commander';
import { Capacity } from '../chain/wallets/capacity';
import { PoolWallets } from '../chain/wallets/pool-wallets';
import { ListCommand, type ListOptions } from './list-command';
import { printList } from './output';
import { WALLET_COLUMNS, walletDocument } from './wallet-columns';

@Command({ name: 'pool:list', description: 'the pool wallets with what they could still lend' })
export class PoolListCommand extends ListCommand {
  constructor(
    private readonly pool: PoolWallets,
    private readonly capacity: Capacity,
  ) {
    super();
  }

  /** Reads the chain now; without a node the last reading is shown, and said to be that. */
  async run(_: string[], options: ListOptions): Promise<void> {
    await this.capacity.refresh().catch((error: unknown) => {
      process.stderr.write(`Warning: the chain could not be read, this is the last reading (${String(error)})\n`);
    });
    const wallets = (await this.pool.list()).slice(0, options.limit);
    printList(
      WALLET_COLUMNS,
      wallets.map((wallet) => walletDocument(wallet, this.capacity.rate)),
      options,
    );
  }
}
