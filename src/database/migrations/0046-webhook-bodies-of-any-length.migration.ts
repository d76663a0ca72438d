import { Migration } from '@mikro-orm/migrations';

/**
 * An order's amount has as many digits as its caller wrote, and the event has them too. Its row is written where the order moves on: a
 * bound on it would keep an order from ever being settled.
 */
const UNBOUNDED = `alter table webhook_deliveries drop constraint webhook_deliveries_body`;

export class WebhookBodiesOfAnyLength extends Migration {
  override name = '0046-webhook-bodies-of-any-length';

  override up(): void {
    this.addSql(UNBOUNDED);
  }
}
