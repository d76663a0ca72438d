import type { SqlTransaction, Statement } from '../database/sql';

const END_SESSIONS: Statement = { name: 'access-end-sessions', text: 'delete from sessions where user_id = $1' };
const WITHDRAW_LINKS: Statement = { name: 'access-withdraw-links', text: 'delete from invitations where user_id = $1' };

/**
 * In the transaction that has changed the user's row, and so holds it: what let the user in until now is gone with the change.
 * The session epoch, raised there, ends the sessions that are just being written.
 */
export async function revokeAccess(tx: SqlTransaction, userId: string): Promise<void> {
  await tx.execute(END_SESSIONS, [userId]);
  await tx.execute(WITHDRAW_LINKS, [userId]);
}
