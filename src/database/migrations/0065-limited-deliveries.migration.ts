import { OneByOne } from './one-by-one';

/** What waits for its account's next minute must not be read through, however much of it there is, to find what is due beside it. */
export class LimitedDeliveries extends OneByOne {
  override name = '0065-limited-deliveries';

  override async up(): Promise<void> {
    await this.createIndex(
      'webhook_deliveries_due',
      `on webhook_deliveries (webhook_id, limited, next_at) where state = 'pending'`,
    );
    this.dropIndex('webhook_deliveries_pending');
  }
}
