import { OneByOne } from './one-by-one';

const IS_COMMON = `state = 'reclaimed'`;

/** The page of a caller's reclaimed orders: without it, a caller of whose many newest orders none is reclaimed yet has them all looked through. */
export class ReclaimedOrdersOfACaller extends OneByOne {
  override name = '0045-reclaimed-orders-of-a-caller';

  override async up(): Promise<void> {
    await this.createIndex('delegations_user_reclaimed', `on delegations (user_id, created_at, id) where ${IS_COMMON}`);
    await this.createIndex(
      'archived_delegations_user_reclaimed',
      `on archived_delegations (user_id, created_at, id) where ${IS_COMMON}`,
    );
  }
}
