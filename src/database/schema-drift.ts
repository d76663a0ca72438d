import type { MikroORM } from '@mikro-orm/postgresql';

/** What MikroORM would drop although it belongs there: the entities describe no trigger (of those on truncate they cannot), and no wallet of a transaction. */
const WRITTEN_BY_HAND =
  /^alter table "?chain_transactions"? drop constraint "?chain_transactions_wallet_id_foreign|^drop (trigger|function) .*(_append_only|_low_balance|_low_beginning|_kept|_stamped|_add_up|_summed)/;

/** The statements that would turn the migrated database into what the entities describe; none when a migration was not forgotten. */
export async function findSchemaDrift(orm: MikroORM): Promise<string[]> {
  const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false });
  return sql.split('\n').filter((line) => line.trim() !== '' && !WRITTEN_BY_HAND.test(line));
}
