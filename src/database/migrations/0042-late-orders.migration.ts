import { Migration } from '@mikro-orm/migrations';

const TABLE = 'create table late_orders (id uuid primary key, day date not null)';

/** Orders that were not settled when their day was closed: one of them no longer keeps all days behind it open. */
export class LateOrders extends Migration {
  override name = '0042-late-orders';

  override up(): void {
    this.addSql(TABLE);
  }
}
