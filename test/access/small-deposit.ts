import { randomBytes, randomUUID } from 'node:crypto';
import type { OrderWorld } from '../support/order-world';

/** Seven TRX that were too few when they came: an operator can credit them. Returns the id. */
export async function insertSmallDeposit(
  world: OrderWorld,
  userId: string,
  id: string = randomUUID(),
): Promise<string> {
  const rows = await world.query(
    `insert into deposits (id, user_id, address, asset, amount, txid, index, state, is_final)
     select $1, user_id, address, 'TRX', 7000000, $3, 0, 'too_small', true from deposit_addresses where user_id = $2 returning id`,
    [id, userId, randomBytes(32).toString('hex')],
  );
  if (rows.length !== 1) throw new Error('the user has no deposit address');
  return id;
}

/** The same once more, whatever became of the one with this id, which stays by another. */
export async function renewSmallDeposit(world: OrderWorld, userId: string, id: string): Promise<void> {
  await world.query('update deposits set id = $2 where id = $1 returning 1', [id, randomUUID()]);
  await insertSmallDeposit(world, userId, id);
}

/** A world that follows no block gives out no address: this one belongs to an account that no setting names. */
export async function insertDepositAddress(world: OrderWorld, userId: string): Promise<void> {
  const hex = randomBytes(20).toString('hex');
  await world.query(
    `insert into deposit_addresses (address, hex, account, number, user_id) values ($1, $2, 'of no setting', $3, $4) returning 1`,
    [`T${hex.slice(0, 33)}`, `41${hex}`, randomBytes(3).readUIntBE(0, 3), userId],
  );
}
