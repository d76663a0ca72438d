import { OneByOne } from './one-by-one';

/** The first page of an operator counts what is open by kind and wallet, without a look at the rows. */
export class OpenFindingsByKind extends OneByOne {
  override name = '0081-open-findings';

  override async up(): Promise<void> {
    await this.createIndex('findings_open_kind', 'on findings (kind, wallet_id) where resolved_at is null');
  }
}
