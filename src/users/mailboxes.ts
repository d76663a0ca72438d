import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/errors/domain.error';
import type { SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';
import { mailboxSql } from './mailbox';

export const HOLD = statement<[email: string]>(
  'mailbox_hold',
  `select pg_advisory_xact_lock(hashtextextended('mailbox ' || ${mailboxSql('$1::text')}, 0))`,
);

const FIND_USER = statement<[email: string, except: string | null], { email: string }>(
  'mailbox_find_user',
  `select email from users where ${mailboxSql('email')} = ${mailboxSql('$1::text')} and id is distinct from $2::uuid
    order by email <> $1, created_at limit 1`,
);

/** One mailbox, one account: wherever an address becomes an account's, by a sign-up, an operator or a change of address. */
@Injectable()
export class Mailboxes {
  /** Until the transaction ends, no other one gives this mailbox to an account or a waiting sign-up. */
  async hold(email: string, tx: SqlTransaction): Promise<void> {
    await tx.execute(HOLD, [email]);
  }

  /**
   * Likewise. `except`: the user whose address it becomes. An operator may give several accounts to one mailbox, by tags.
   * @throws DomainError when another user has the mailbox, disabled or not
   */
  async take(email: string, except: string | null, tx: SqlTransaction, byOperator = false): Promise<void> {
    await this.hold(email, tx);
    const other = await tx.row(FIND_USER, [email, except]);
    if (other?.email === email) throw new DomainError('user.email-taken');
    if (other && !byOperator) throw new DomainError('user.mailbox-taken', { email: other.email });
  }
}
