import { Injectable, type OnModuleInit } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { AuditLog, type Operator } from '../../audit-log/audit-log';
import { userSubject } from '../../audit-log/subjects';
import { DomainError } from '../../common/errors/domain.error';
import { Sql, type SqlTransaction } from '../../database/sql';
import { MailLinks } from '../../mail/mail-links';
import { MailOutbox } from '../../mail/mail-outbox';
import { revokeLinks } from '../../users/revoke-access';
import { Mailboxes } from '../../users/mailboxes';
import { UserRepository } from '../../users/user.repository';
import { type UserRecord, UserService } from '../../users/user.service';
import { checkEmail } from '../../users/user.validation';
import { newLinkTo, readLink } from '../link-secret';
import type { EmailChangeRow } from './email-change.statements';
import * as statements from './email-change.statements';

export interface NewAddress {
  readonly userId: string;
  readonly email: string;
  /** In which the mail is, unless its reader has chosen another one. */
  readonly language: string;
  readonly network: string;
}

/** Another address for a user: by its user, once a link has confirmed it there, or by an operator at once. The old address gets a mail about it. */
@Injectable()
export class EmailChangeService implements OnModuleInit {
  constructor(
    private readonly sql: Sql,
    private readonly users: UserService,
    private readonly userRows: UserRepository,
    private readonly mailboxes: Mailboxes,
    private readonly outbox: MailOutbox,
    private readonly links: MailLinks,
    private readonly auditLog: AuditLog,
  ) {}

  onModuleInit(): void {
    this.links.register('email_confirm', async (id) => {
      const { text, key } = newLinkTo(id);
      const isOpen = (await this.sql.execute(statements.ADD_KEY, [id, key])) > 0;
      return isOpen ? `/panel/email?key=${text}` : null;
    });
  }

  /** Sends the link. The answer is the same for an address that another user has: that one gets a mail about it. @throws DomainError */
  async ask({ userId, language, network, ...asked }: NewAddress): Promise<void> {
    const email = checkEmail(asked.email);
    await this.outbox.forForm('email_confirm', network, email, async (tx) => {
      if (!(await this.userRows.holdEnabled(userId, tx))) throw new DomainError('invitation.not-valid');
      const other = await tx.row(statements.FIND_OTHER, [userId, email]);
      const id = uuid();
      const sent = other
        ? { kind: 'email_taken' as const, address: other.email }
        : { kind: 'email_confirm' as const, address: email, linkFor: id };
      const draft = { ...sent, language: other?.language ?? language, facts: {} };
      if (await this.outbox.ask(draft, network, tx)) await tx.execute(statements.ADD, [id, userId, email]);
    });
  }

  /** Changes nothing: mail programs open links. Null when it can no longer be used. */
  async find(link: string): Promise<EmailChangeRow | null> {
    const read = readLink(link);
    return read && this.sql.row(statements.FIND, [read.id, read.key]);
  }

  /** @throws DomainError for a link that was used or has ended, and when another user has the mailbox by now */
  confirm(link: string, address: string): Promise<UserRecord> {
    return this.sql.transaction(async (tx) => {
      const read = readLink(link);
      const found = read && (await tx.row(statements.FIND, [read.id, read.key]));
      // The user before the link, as everywhere: two transactions that lock them in turns would wait for each other.
      if (!read || !found || !(await this.userRows.holdEnabled(found.userId, tx))) {
        throw new DomainError('invitation.not-valid');
      }
      const used = await tx.row(statements.USE, [read.id, read.key]);
      if (!used) throw new DomainError('invitation.not-valid');
      const before = await this.users.find({ id: used.userId });
      const user = await this.change(before!, used.email, tx, false);
      const entry = { action: 'user.email', subject: userSubject(user.email), outcome: 'done' } as const;
      const facts = { before: { email: before!.email }, after: { email: user.email } };
      await this.auditLog.append({ id: user.id, address }, { ...entry, ...facts }, tx);
      return user;
    });
  }

  /** By an operator, who answers for the address. @throws DomainError when another user has the mailbox */
  async changeTo(operator: Operator, from: string, to: string): Promise<UserRecord> {
    const email = checkEmail(to);
    const act = { action: 'user.email', subject: userSubject(from), asked: { email } };
    return this.auditLog.record(operator, act, async (tx) => {
      const before = await this.users.lock(from, tx);
      const result = await this.change(before, email, tx, true);
      // By the address that the user has now: the log looks the user up by it.
      return { result, subject: userSubject(result.email), before: { email: before.email }, after: { email } };
    });
  }

  /** Ends the links of all users. */
  async withdrawAll(tx: SqlTransaction): Promise<void> {
    await tx.execute(statements.WITHDRAW_ALL);
  }

  async sweep(): Promise<void> {
    await this.sql.execute(statements.SWEEP);
  }

  /** Links that went to the old address end with it; the second factor and sessions stay. */
  private async change(
    before: UserRecord,
    email: string,
    tx: SqlTransaction,
    byOperator: boolean,
  ): Promise<UserRecord> {
    await this.mailboxes.take(email, before.id, tx, byOperator);
    const user = await this.userRows.setEmail(before.id, email, tx);
    await revokeLinks(tx, before.id);
    if (user.email !== before.email) {
      const told = { kind: 'email_changed' as const, language: user.language, facts: { email: user.email } };
      await this.outbox.send({ ...told, address: before.email }, tx);
    }
    return user;
  }
}
