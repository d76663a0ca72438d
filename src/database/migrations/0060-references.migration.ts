import { OneByOne } from './one-by-one';

const IS_GIVEN = 'where reference is not null';

/** A subscription is given once for a reference; and whether another customer has a reference is found by it. */
export class References extends OneByOne {
  override name = '0060-references';

  override async up(): Promise<void> {
    this.addSql('alter table subscriptions add column if not exists reference text null');
    await this.createIndex(
      'subscriptions_reference_once',
      `on subscriptions (user_id, reference) ${IS_GIVEN}`,
      'unique index',
    );
    await this.createIndex('subscriptions_reference', `on subscriptions (reference) ${IS_GIVEN}`);
    await this.createIndex('ledger_entries_reference', `on ledger_entries (reference) ${IS_GIVEN}`);
  }
}
