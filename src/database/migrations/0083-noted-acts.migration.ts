import { OneByOne } from './one-by-one';

/**
 * What a wallet did without harm is kept once, as history; no row is of this kind before. What it did before its first reading is none of the
 * service's business; of a wallet that was read before, that is not known.
 */
export class NotedActs extends OneByOne {
  override name = '0083-noted-acts';

  override async up(): Promise<void> {
    this.addSql('alter table wallet_views add column if not exists first_block bigint null');
    await this.createIndex(
      'findings_one_per_act',
      `on findings (kind, subject) where kind = 'wallet_act'`,
      'unique index',
    );
    await this.createIndex(
      'findings_of_transactions',
      `on findings (wallet_id, subject_id) where subject_type = 'wallet_transaction'`,
    );
  }
}
