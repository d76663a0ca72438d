import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { EmailChangeService } from '../auth/email-changes/email-change.service';
import { InvitationService } from '../auth/invitations/invitation.service';
import { PendingSignInRepository } from '../auth/pending-sign-ins/pending-sign-in.repository';
import { SessionService } from '../auth/sessions/session.service';
import { SignUpService } from '../auth/sign-ups/sign-up.service';
import { ApiTokenService } from '../auth/tokens/api-token.service';
import { DomainError } from '../common/errors/domain.error';
import { DatabaseIdentity } from '../database/identity/database-identity';
import { FindingRepository } from '../findings/finding.repository';
import { MailRepository } from '../mail/mail.repository';
import { OperationRepository } from '../stake-care/operation.repository';

export interface ConfirmedRestore {
  readonly sessionsEnded: number;
  readonly invitationsEnded: number;
  readonly tokensRevoked: number;
  readonly mailsVoided: number;
}

/** What an operator decides about a database that was restored or copied. */
@Injectable()
export class RestoreAdminService {
  constructor(
    private readonly identity: DatabaseIdentity,
    private readonly sessions: SessionService,
    private readonly pendingSignIns: PendingSignInRepository,
    private readonly invitations: InvitationService,
    private readonly signUps: SignUpService,
    private readonly emailChanges: EmailChangeService,
    private readonly tokens: ApiTokenService,
    private readonly mails: MailRepository,
    private readonly findings: FindingRepository,
    private readonly operations: OperationRepository,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * This database is the one to go on with: instances sign again, and compare what is lent with the chain before they take it back. Who
   * was signed in or invited as of the backup may have no business here any more, and mails that waited then were sent since.
   * @throws DomainError when the database is where it was
   */
  confirm(operator: Operator, options: { readonly revokeTokens: boolean }): Promise<ConfirmedRestore> {
    const asked = { revoke_tokens: options.revokeTokens };
    return this.auditLog.record(operator, { action: 'restore.confirm', subject: 'service', asked }, async (tx) => {
      const places = await this.identity.confirm(tx);
      if (!places) throw new DomainError('restore.nothing-to-confirm');
      const sessionsEnded = await this.sessions.endEverybodys(tx);
      await this.pendingSignIns.endAll(tx);
      const invitationsEnded = await this.invitations.withdrawAll(tx);
      await this.signUps.withdrawLinks(tx);
      await this.emailChanges.withdrawAll(tx);
      const operationsFailed = await this.operations.failRestored(tx);
      const tokensRevoked = options.revokeTokens ? await this.tokens.revokeAll(tx) : 0;
      const mailsVoided = await this.mails.voidPending(tx);
      await this.findings.decided('database_restored', tx);
      const ended = {
        sessions_ended: sessionsEnded,
        invitations_ended: invitationsEnded,
        tokens_revoked: tokensRevoked,
        mails_voided: mailsVoided,
        stake_operations_failed: operationsFailed,
      };
      return {
        result: { sessionsEnded, invitationsEnded, tokensRevoked, mailsVoided },
        before: { ...places.before },
        after: { ...asked, ...places.after, ...ended },
      };
    });
  }
}
