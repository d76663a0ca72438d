import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { type InvitationLink, InvitationService } from '../auth/invitations/invitation.service';
import { SecondFactorService } from '../auth/second-factors/second-factor.service';
import { SessionService } from '../auth/sessions/session.service';
import { DomainError } from '../common/errors/domain.error';
import { formatTrx } from '../common/money/sun';
import type { SqlTransaction } from '../database/sql';
import { UserService, type UserRecord, type UserSettings } from '../users/user.service';
import { userSubject } from '../audit-log/subjects';

/** What operators do to users, each act in one transaction with its entry in the audit log. */
@Injectable()
export class UserAdminService {
  constructor(
    private readonly users: UserService,
    private readonly invitations: InvitationService,
    private readonly sessions: SessionService,
    private readonly factors: SecondFactorService,
    private readonly auditLog: AuditLog,
  ) {}

  create(operator: Operator, email: string, settings: UserSettings & { name: string }): Promise<UserRecord> {
    const act = { action: 'user.create', subject: userSubject(email), asked: shown(settings) };
    return this.auditLog.record(operator, act, async (tx) => {
      const result = await this.users.create(email, settings, tx);
      return { result, after: shown(result) };
    });
  }

  /**
   * With `seen`, refuses to overwrite what another operator has changed since.
   * @param evenTheLast operator loses that role: then no operator is left, and only the command line makes another
   */
  update(
    operator: Operator,
    email: string,
    settings: UserSettings,
    { seen, evenTheLast = false }: { readonly seen?: UserSettings; readonly evenTheLast?: boolean } = {},
  ): Promise<UserRecord> {
    const act = { action: 'user.settings', subject: userSubject(email), asked: shown(settings) };
    return this.auditLog.record(operator, act, async (tx) => {
      const before =
        settings.operator === false
          ? await this.lockToRemove(operator, email, evenTheLast, tx)
          : await this.users.lock(email, tx);
      if (seen) refuseOnStale(settings, seen, before);
      const result = await this.users.update(email, settings, tx);
      return { result, before: shown(before), after: shown(result) };
    });
  }

  disable(operator: Operator, email: string, { evenTheLast = false } = {}): Promise<UserRecord> {
    const act = { action: 'user.disable', subject: userSubject(email) };
    return this.auditLog.record(operator, act, async (tx) => {
      const before = await this.lockToRemove(operator, email, evenTheLast, tx);
      const sessions_ended = await this.sessions.endAllOf(before.id, tx);
      const result = await this.users.disable(email, tx);
      return { result, before: stateOf(before), after: { ...stateOf(result), sessions_ended } };
    });
  }

  enable(operator: Operator, email: string): Promise<UserRecord> {
    const act = { action: 'user.enable', subject: userSubject(email) };
    return this.auditLog.record(operator, act, async (tx) => {
      const before = await this.users.lock(email, tx);
      const result = await this.users.enable(email, tx);
      return { result, before: stateOf(before), after: stateOf(result) };
    });
  }

  invite(operator: Operator, email: string): Promise<InvitationLink> {
    const act = { action: 'user.invite', subject: userSubject(email) };
    return this.auditLog.record(operator, act, async (tx) => {
      const result = await this.invitations.invite(email, tx);
      return { result, after: { expires_at: result.expiresAt.toISOString() } };
    });
  }

  /** Returns whether there was a link that could still be used. */
  withdrawLink(operator: Operator, email: string): Promise<boolean> {
    const act = { action: 'user.withdraw-link', subject: userSubject(email) };
    return this.auditLog.record(operator, act, async (tx) => {
      const { id } = await this.users.lock(email, tx);
      const result = await this.invitations.withdraw(id, tx);
      return { result, after: { withdrawn: result } };
    });
  }

  /** For a user who has lost it: until a new one is set up, the password alone signs in. Ends all sessions. */
  async resetSecondFactor(operator: Operator, email: string): Promise<void> {
    const { id, email: owner } = await this.users.get(email);
    await this.factors.remove(operator, { userId: id, email: owner });
  }

  /** Returns how many sessions there were. */
  endSessions(operator: Operator, email: string): Promise<number> {
    const act = { action: 'user.end-sessions', subject: userSubject(email) };
    return this.auditLog.record(operator, act, async (tx) => {
      const { id } = await this.users.lock(email, tx);
      const result = await this.sessions.endAllOf(id, tx);
      return { result, after: { sessions_ended: result } };
    });
  }

  /** A user who is about to be no operator any more, or disabled. @throws DomainError for oneself, and for the last operator */
  private async lockToRemove(
    operator: Operator,
    email: string,
    evenTheLast: boolean,
    tx: SqlTransaction,
  ): Promise<UserRecord> {
    await this.users.lockOperators(tx);
    const user = await this.users.lock(email, tx);
    if (user.id === operator.id) throw new DomainError('user.is-oneself');
    if (!evenTheLast) await this.users.refuseOnLastOperator(user, tx);
    return user;
  }
}

/** For each setting, what is refused when somebody else has changed it meanwhile. */
const CHANGED: Readonly<Record<keyof UserSettings, (now: UserRecord) => DomainError>> = {
  name: ({ name }) => new DomainError('user.name-changed', { name }),
  operator: ({ operator }) => new DomainError('user.operator-changed', { operator }),
  unitPriceSun: ({ unitPriceSun }) => new DomainError('user.unit-price-changed', { unitPriceSun }),
  rateLimitPerMinute: ({ rateLimitPerMinute }) => new DomainError('user.rate-limit-changed', { rateLimitPerMinute }),
  lowBalanceSun: ({ lowBalanceSun }) => new DomainError('user.low-balance-changed', { lowBalanceSun }),
};

function refuseOnStale(wanted: UserSettings, seen: UserSettings, now: UserRecord): void {
  for (const key of Object.keys(CHANGED) as (keyof UserSettings)[]) {
    if (wanted[key] === undefined || now[key] === seen[key] || now[key] === wanted[key]) continue;
    throw CHANGED[key](now);
  }
}

function stateOf({ disabledAt }: UserRecord) {
  return { disabled: disabledAt !== null };
}

/** Settings that do not change are left out. */
function shown({ name, operator, unitPriceSun, rateLimitPerMinute, lowBalanceSun }: UserSettings) {
  return {
    name,
    operator,
    unit_price: unitPriceSun === null ? 'default' : unitPriceSun && formatTrx(unitPriceSun),
    rate_limit: rateLimitPerMinute === null ? 'default' : rateLimitPerMinute,
    low_balance: lowBalanceSun === undefined ? undefined : lowBalanceSun === null ? 'none' : formatTrx(lowBalanceSun),
  };
}
