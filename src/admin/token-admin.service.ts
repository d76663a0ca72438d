import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { ApiTokenService, type CreatedToken, type NewToken, type TokenRecord } from '../auth/tokens/api-token.service';
import { UserService } from '../users/user.service';
import { userSubject } from './subjects';

/** What operators do to the tokens of users, each act in one transaction with its entry in the audit log. */
@Injectable()
export class TokenAdminService {
  constructor(
    private readonly users: UserService,
    private readonly tokens: ApiTokenService,
    private readonly auditLog: AuditLog,
  ) {}

  create(operator: Operator, email: string, token: Omit<NewToken, 'userId'>): Promise<CreatedToken> {
    const { name, permissions, expiresInDays } = token;
    const asked = { name, permissions, expires_in_days: expiresInDays };
    const act = { action: 'token.create', subject: userSubject(email), asked };
    return this.auditLog.record(operator, act, async (tx) => {
      const { id: userId } = await this.users.lock(email, tx);
      const result = await this.tokens.create({ ...token, userId }, tx);
      const { id, prefix } = result.row;
      return { result, after: { ...asked, id, prefix } };
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
