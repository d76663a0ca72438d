import type { SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';

const END_SESSIONS = statement<[userId: string]>('access_end_sessions', 'delete from sessions where user_id = $1');
const WITHDRAW_LINKS = statement<[userId: string]>(
  'access_withdraw_links',
  'delete from invitations where user_id = $1',
);

const WITHDRAW_ADDRESS = statement<[userId: string]>(
  'access_withdraw_address',
  'delete from email_changes where user_id = $1',
);

/**
 * Deletes a user's sessions and links, in the transaction that has changed the user's row and so holds its lock. A session that
 * another transaction is writing ends too: it has an earlier epoch than the row. Here and not in `auth`, which this room cannot import.
 */
export async function revokeAccess(tx: SqlTransaction, userId: string): Promise<void> {
  await tx.execute(END_SESSIONS, [userId]);
  await revokeLinks(tx, userId);
}

/** Links to set a password, and to another address: with the old password, one to an address of its thief may be under way. */
export async function revokeLinks(tx: SqlTransaction, userId: string): Promise<void> {
  await tx.execute(WITHDRAW_LINKS, [userId]);
  await tx.execute(WITHDRAW_ADDRESS, [userId]);
}
