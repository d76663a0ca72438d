import type { SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';

const END_SESSIONS = statement<[userId: string]>('access-end-sessions', 'delete from sessions where user_id = $1');
const WITHDRAW_LINKS = statement<[userId: string]>(
  'access-withdraw-links',
  'delete from invitations where user_id = $1',
);

/**
 * In the transaction that has changed the user's row, and so holds it: what let the user in until now goes with the change.
 * The session epoch, raised there, ends the sessions that are just being written. Here rather than in `auth`, which users know
 * nothing of.
 */
export async function revokeAccess(tx: SqlTransaction, userId: string): Promise<void> {
  await tx.execute(END_SESSIONS, [userId]);
  await tx.execute(WITHDRAW_LINKS, [userId]);
}
