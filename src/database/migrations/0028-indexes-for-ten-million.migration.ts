import { OneByOne } from './one-by-one';

/** Keys of the orders of before; those of new ones are there since 0026. */
const KEYS = `
  insert into order_keys (key, delegation_id)
  select sha256(convert_to(user_id::text || ' ' || idempotency_key, 'UTF8')), id from delegations where idempotency_key is not null
  on conflict (key) do nothing`;

/** Nearly all orders end as reclaimed: those are found by the index of all states. */
const IS_UNCOMMON = `state <> 'reclaimed'`;
const IS_OPEN = `state in ('saved', 'sent', 'included')`;

/** Indexes for ten million orders: a caller's, and an operator's, by any state that is not the common one; and none that others replace. */
export class IndexesForTenMillion extends OneByOne {
  override name = '0028-indexes-for-ten-million';

  override async up(): Promise<void> {
    this.addSql(KEYS);
    this.dropIndex('delegations_idempotency_key');
    await this.createIndex(
      'delegations_user_state',
      `on delegations (user_id, state, created_at, id) where ${IS_UNCOMMON}`,
    );
    await this.createIndex('delegations_uncommon_state', `on delegations (state, created_at, id) where ${IS_UNCOMMON}`);
    this.dropIndex('delegations_state_page');
    // Without the event's own id equal keys lie together: a third of the size.
    await this.createIndex('delegation_events_order', 'on delegation_events (delegation_id)');
    this.dropIndex('delegation_events_delegation');
    // Equal bytes can only be made at the same moment, while both are open. What is settled is looked for one by one: by a hash.
    await this.createIndex(
      'chain_transactions_open_tx_id',
      `on chain_transactions (tx_id) where ${IS_OPEN}`,
      'unique index',
    );
    await this.createIndex('chain_transactions_tx_id', 'on chain_transactions using hash (tx_id)');
    this.addSql('alter table chain_transactions drop constraint if exists chain_transactions_tx_id_unique');
  }
}
