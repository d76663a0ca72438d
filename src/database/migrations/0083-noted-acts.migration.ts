import { OneByOne } from './one-by-one';

/** What a wallet did without harm is kept once, as history. No row is of this kind before. */
export class NotedActs extends OneByOne {
  override name = '0083-noted-acts';

  override async up(): Promise<void> {
    await this.createIndex('findings_one_per_act', `on findings (kind, subject) where kind = 'wallet_act'`, 'unique index');
  }
}
