import { OneByOne } from './one-by-one';

/** What people type of a txid or an address is its beginning; and a request's id, of an attempt that never became an order. */
export class SearchedNames extends OneByOne {
  override name = '0080-searched-names';

  override async up(): Promise<void> {
    await this.createIndex(
      'chain_transactions_tx_id_beginning',
      'on chain_transactions (left(tx_id, 8) text_pattern_ops)',
    );
    await this.createIndex('delegations_receiver_beginning', 'on delegations (left(receiver, 8) text_pattern_ops)');
    await this.createIndex('refused_attempts_request', 'on refused_attempts (request_id) where request_id is not null');
  }
}
