import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { type Subject, userSubject } from '../audit-log/subjects';
import type { Identity } from '../users/user-record';
import { UserRepository } from '../users/user.repository';
import { normaliseEmail } from '../users/user.validation';
import { EntriesPerHour } from './entries-per-hour';

export type RefusedBecause = 'password' | 'code' | 'password-again';

/**
 * Keeps in the audit log who signed in, and who failed to: for each user and hour the first few. A flood shows in the metrics and in the
 * requests' log.
 */
@Injectable()
export class SignInLog implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SignInLog.name);
  private readonly inHand = new Set<Promise<void>>();

  constructor(
    private readonly auditLog: AuditLog,
    private readonly users: UserRepository,
    private readonly entries: EntriesPerHour,
  ) {}

  async succeeded(
    { userId, email }: Pick<Identity, 'userId' | 'email'>,
    address: string,
    by: 'password' | 'code' | 'recovery-code' | 'link',
  ) {
    const left = await this.entries.take('sign-in-log-done', userId);
    if (left === null) return;
    const after = { by, ...(left === 0 && { further: 'none of this user for an hour' }) };
    await this.append({ id: userId, address }, userSubject(email), 'done', after);
  }

  /**
   * The answer does not wait for it: how long it takes would tell whether such a user exists. What was typed for an address without a user
   * is not kept: people type their passwords there.
   */
  failed(email: string, address: string, reason: RefusedBecause): void {
    const entry = this.enter(email, address, reason).catch((error: unknown) => {
      this.logger.error({ err: error }, 'A refused sign-in could not be entered in the audit log');
    });
    this.inHand.add(entry);
    void entry.finally(() => this.inHand.delete(entry));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.inHand);
  }

  private async enter(email: string, address: string, reason: RefusedBecause): Promise<void> {
    const typed = normaliseEmail(email);
    const isKnown = (await this.users.findCredentials(typed)) !== null;
    const left = isKnown
      ? await this.entries.take('sign-in-log-user', typed)
      : await this.entries.take('sign-in-log-unknown', 'addresses');
    if (left === null || (isKnown && (await this.entries.take('sign-in-log-refused', 'all')) === null)) return;
    const after = { wrong: reason, ...(left === 0 && { further: 'none of these for an hour' }) };
    const subject = isKnown ? userSubject(typed) : 'an unknown address';
    await this.append({ id: null, service: 'panel', address }, subject, 'refused', after);
  }

  private append(by: Operator, subject: Subject, outcome: 'done' | 'refused', after: object): Promise<void> {
    return this.auditLog.append(by, { action: 'sign-in', subject, outcome, after: { ...after } });
  }
}
