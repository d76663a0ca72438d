import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../auth/audit-log/audit-log';
import { type InvitationLink, InvitationService } from '../../../auth/invitations/invitation.service';
import { SessionService } from '../../../auth/sessions/session.service';
import { UserService, type UserRecord, type UserSettings } from '../../../auth/user.service';
import { RefusalError } from '../../../common/refusal.error';
import { formatTrx } from '../../../common/sun';
import type { SignedInVisit } from '../../http/visit';
import { operatorOf } from '../operator';
import { USER_WORDS } from './user.words';

/** What operators do to users, each act written down with what was before and after it. */
@Injectable()
export class OperateUsers {
  constructor(
    private readonly users: UserService,
    private readonly invitations: InvitationService,
    private readonly sessions: SessionService,
    private readonly audit: AuditLog,
  ) {}

  create(visit: SignedInVisit, email: string, settings: UserSettings & { name: string }): Promise<UserRecord> {
    const asked = { email, ...shown(settings) };
    return this.audit.record(
      operatorOf(visit),
      { action: 'user.create', subject: `user ${email.toLowerCase()}`, asked },
      async () => {
        const result = await this.users.create(email, settings);
        return { result, after: settingsOf(result) };
      },
    );
  }

  update(visit: SignedInVisit, user: UserRecord, settings: UserSettings): Promise<UserRecord> {
    const before = settingsOf(user);
    const act = { action: 'user.settings', subject: `user ${user.email}`, before, asked: shown(settings) };
    return this.audit.record(operatorOf(visit), act, async () => {
      if (settings.operator === false) refuseOnOneself(visit, user);
      const result = await this.users.update(user.email, settings);
      return { result, after: settingsOf(result) };
    });
  }

  setState(visit: SignedInVisit, user: UserRecord, disabled: boolean): Promise<UserRecord> {
    const before = { disabled: user.disabledAt !== null };
    const act = { action: disabled ? 'user.disable' : 'user.enable', subject: `user ${user.email}`, before };
    return this.audit.record(operatorOf(visit), act, async () => {
      if (disabled) refuseOnOneself(visit, user);
      const result = await (disabled ? this.users.disable(user.email) : this.users.enable(user.email));
      return { result, after: { disabled } };
    });
  }

  invite(visit: SignedInVisit, user: UserRecord): Promise<InvitationLink> {
    const act = { action: 'user.invite', subject: `user ${user.email}` };
    return this.audit.record(operatorOf(visit), act, async () => {
      const result = await this.invitations.invite(user.email);
      return { result, after: { expires_at: result.expiresAt.toISOString() } };
    });
  }

  /** Returns whether there was a link. */
  withdrawLink(visit: SignedInVisit, user: UserRecord): Promise<boolean> {
    const act = { action: 'user.withdraw-link', subject: `user ${user.email}` };
    return this.audit.record(operatorOf(visit), act, async () => {
      const result = await this.invitations.withdraw(user.id);
      return { result, after: { withdrawn: result } };
    });
  }

  /** Returns how many sessions there were. */
  endSessions(visit: SignedInVisit, user: UserRecord): Promise<number> {
    const act = { action: 'user.end-sessions', subject: `user ${user.email}` };
    return this.audit.record(operatorOf(visit), act, async () => {
      const result = await this.sessions.endAllOf(user.id);
      return { result, after: { ended: result } };
    });
  }
}

function refuseOnOneself(visit: SignedInVisit, user: UserRecord): void {
  if (user.id === visit.user.id) throw new RefusalError(USER_WORDS[visit.locale].notYourself);
}

function settingsOf({ name, operator, unitPriceSun, rateLimitPerMinute }: UserRecord) {
  return shown({ name, operator, unitPriceSun, rateLimitPerMinute });
}

function shown({ name, operator, unitPriceSun, rateLimitPerMinute }: UserSettings) {
  return {
    name,
    operator,
    unit_price: unitPriceSun == null ? 'default' : formatTrx(unitPriceSun),
    rate_limit: rateLimitPerMinute ?? 'default',
  };
}
