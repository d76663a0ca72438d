import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { userSubject } from '../audit-log/subjects';
import type { TokenRecord } from '../auth/tokens/api-token.repository';
import { ApiTokenService, type CreatedToken, type NewToken } from '../auth/tokens/api-token.service';
import { isSameLimit, type TokenLimits } from '../auth/tokens/token-limits';
import { DomainError } from '../common/errors/domain.error';
import { formatTrx } from '../common/money/sun';
import { MailOutbox } from '../mail/mail-outbox';
import { UserService } from '../users/user.service';

/** What operators and their users do to tokens, each act in one transaction with its entry in the audit log. */
@Injectable()
export class TokenAdminService {
  constructor(
    private readonly users: UserService,
    private readonly tokens: ApiTokenService,
    private readonly auditLog: AuditLog,
    private readonly outbox: MailOutbox,
  ) {}

  create(operator: Operator, email: string, token: Omit<NewToken, 'userId'>): Promise<CreatedToken> {
    const { name, permissions, expiresInDays, limits } = token;
    const asked = { name, permissions, expires_in_days: expiresInDays, ...shownLimits(limits ?? {}) };
    const act = { action: 'token.create', subject: userSubject(email), asked };
    return this.auditLog.record(operator, act, async (tx) => {
      const { id: userId } = await this.users.lock(email, tx);
      const result = await this.tokens.create({ ...token, userId }, tx);
      const { id, prefix } = result.row;
      await this.outbox.tell(userId, 'token_created', { name: result.row.name }, tx);
      return { result, after: { ...asked, id, prefix } };
    });
  }

  /**
   * Changes what is given and keeps the rest. With `ownerId`, another user's token reads as not found; with `seen`, refuses to
   * overwrite what was changed since.
   */
  setLimits(
    operator: Operator,
    id: string,
    limits: Partial<TokenLimits>,
    { ownerId, seen }: { readonly ownerId?: string; readonly seen?: TokenLimits } = {},
  ): Promise<TokenRecord> {
    const act = { action: 'token.limits', subject: `token ${id}`, asked: shownLimits(limits) };
    return this.auditLog.record(operator, act, async (tx) => {
      const locked = await this.tokens.lock(id, ownerId, tx);
      if (seen) refuseOnStale(limits, seen, locked);
      const { owner, name, prefix, dailyLimitSun, maxCostSun, receivers, ips } = locked;
      const result = await this.tokens.setLimits(
        id,
        { dailyLimitSun, maxCostSun, receivers, ips, ...limits },
        undefined,
        tx,
      );
      return {
        result,
        subject: userSubject(owner),
        before: { id, name, prefix, ...shownLimits(locked) },
        after: { id, name, prefix, ...shownLimits(result) },
      };
    });
  }

  /** With `ownerId`, another user's token reads as not found. */
  revoke(operator: Operator, id: string, ownerId?: string): Promise<TokenRecord> {
    const act = { action: 'token.revoke', subject: `token ${id}` };
    return this.auditLog.record(operator, act, async (tx) => {
      const { owner, name, prefix, revokedAt } = await this.tokens.lock(id, ownerId, tx);
      const result = await this.tokens.revoke(id, ownerId, tx);
      return {
        result,
        subject: userSubject(owner),
        before: { id, name, prefix, revoked: revokedAt !== null },
        after: { id, name, prefix, revoked: true },
      };
    });
  }
}

/** For each limit, what is refused when it was changed meanwhile. */
const CHANGED = {
  dailyLimitSun: 'token.daily-limit-changed',
  maxCostSun: 'token.max-cost-changed',
  receivers: 'token.receivers-changed',
  ips: 'token.ips-changed',
} as const satisfies Readonly<Record<keyof TokenLimits, string>>;

function refuseOnStale(wanted: Partial<TokenLimits>, seen: TokenLimits, now: TokenLimits): void {
  for (const key of Object.keys(CHANGED) as (keyof TokenLimits)[]) {
    const value = wanted[key];
    if (value === undefined || isSameLimit(now[key], seen[key]) || isSameLimit(now[key], value)) continue;
    throw new DomainError(CHANGED[key]);
  }
}

/** What was given of them, as the audit log keeps it: amounts in native units. */
function shownLimits({ dailyLimitSun: daily, maxCostSun: most, receivers, ips }: Partial<TokenLimits>) {
  return {
    ...(daily !== undefined && { daily_limit: trxOf(daily) }),
    ...(most !== undefined && { max_cost: trxOf(most) }),
    ...(receivers !== undefined && { receivers }),
    ...(ips !== undefined && { ips }),
  };
}

function trxOf(sun: bigint | null): string | null {
  return sun === null ? null : formatTrx(sun);
}
