import { OneByOne } from './one-by-one';

/** An order is found by the id of the request that placed it. */
export class RequestsOfOrders extends OneByOne {
  override name = '0084-requests-of-orders';

  override async up(): Promise<void> {
    await this.createIndex(
      'delegation_events_request',
      `on delegation_events ((detail ->> 'request_id')) where kind = 'ordered'`,
    );
  }
}
