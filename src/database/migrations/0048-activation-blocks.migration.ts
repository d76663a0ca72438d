import { OneByOne } from './one-by-one';

/** What activations cost a wallet since it was read: without it, each order with an activation has all transactions looked through. */
export class ActivationBlocks extends OneByOne {
  override name = '0048-activation-blocks';

  override async up(): Promise<void> {
    await this.createIndex(
      'chain_transactions_activation_blocks',
      `on chain_transactions (wallet_id, block_number) where purpose = 'activation' and state = 'final'`,
    );
  }
}
