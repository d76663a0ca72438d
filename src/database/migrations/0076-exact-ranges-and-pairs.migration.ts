import { OneByOne } from './one-by-one';

/**
 * The numbers of a range of times come from an index alone. Of a wallet and a receiver the newest final transaction is found by one of its
 * own, and by another what is lent between the two, however many orders the receiver has had. What has ended of deliveries is swept by age.
 */
export class ExactRangesAndPairs extends OneByOne {
  override name = '0076-exact-ranges-and-pairs';

  override async up(): Promise<void> {
    await this.createIndex('ledger_entries_user_time', 'on ledger_entries (user_id, at, id)');
    await this.createIndex('audit_log_time', 'on audit_log (at, id)');
    await this.createIndex(
      'chain_transactions_final_pairs',
      `on chain_transactions (wallet_id, receiver, block_number) where purpose in ('delegation', 'reclaim') and state = 'final'`,
    );
    await this.createIndex('webhook_deliveries_ended', `on webhook_deliveries (created_at) where state <> 'pending'`);
    this.dropIndex('ledger_entries_user_at');
    this.dropIndex('audit_log_at');
    this.dropIndex('webhook_deliveries_age');
  }
}
