import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { userSubject } from '../audit-log/subjects';
import { EmailChangeService } from '../auth/email-changes/email-change.service';
import { SignUpService, type SignUpView } from '../auth/sign-ups/sign-up.service';
import { InvalidValueError } from '../common/errors/domain.error';
import { characterCount, oneSpelling } from '../common/text';
import type { UserRecord } from '../users/user.service';

const LONGEST_NOTE = 500;

/** What operators decide about those who have signed up, and about the addresses of users. */
@Injectable()
export class SignUpAdminService {
  constructor(
    private readonly signUps: SignUpService,
    private readonly emailChanges: EmailChangeService,
    private readonly auditLog: AuditLog,
  ) {}

  waiting(limit?: number): Promise<SignUpView[]> {
    return this.signUps.waiting(limit);
  }

  approve(operator: Operator, email: string): Promise<UserRecord> {
    const act = { action: 'user.approve', subject: userSubject(email) };
    return this.auditLog.record(operator, act, async (tx) => {
      const result = await this.signUps.approve(email, tx);
      return { result, after: { name: result.name } };
    });
  }

  /** @throws DomainError without a note: its reader asks why */
  refuse(operator: Operator, email: string, note: string): Promise<SignUpView> {
    const checked = checkNote(note);
    const act = { action: 'user.refuse', subject: userSubject(email), asked: { note: checked } };
    return this.auditLog.record(operator, act, async (tx) => {
      const result = await this.signUps.refuse(email, checked, tx);
      return { result, after: { name: result.name, note: checked } };
    });
  }

  changeEmail(operator: Operator, email: string, to: string): Promise<UserRecord> {
    return this.emailChanges.changeTo(operator, email, to);
  }
}

function checkNote(note: string): string {
  const text = oneSpelling(note);
  const length = characterCount(text);
  if (length >= 1 && length <= LONGEST_NOTE) return text;
  throw new InvalidValueError('sign-up.note-length', { longest: LONGEST_NOTE });
}
