import type { OrderWorld } from '../support/order-world';

/** Every row of every table, as a dump has it. */
export async function everyRow(world: OrderWorld): Promise<string> {
  const tables = await world.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    for (const { row } of await world.query(`select r::text as row from "${String(name)}" r`)) texts.push(String(row));
  }
  return texts.join('\n');
}
