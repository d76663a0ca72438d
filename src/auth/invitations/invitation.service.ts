import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RefusalError } from '../../common/refusal.error';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import { AuditLog } from '../audit-log/audit-log';
import { PasswordService } from '../passwords/password.service';
import { UserService } from '../user.service';
import { FIND, HAS_OPERATOR, INVITE, SET_PASSWORD, SWEEP, USE } from './invitation.statements';
import { PanelAddress } from './panel-address';

const VALID_HOURS = 72;

export interface InvitationLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Whom a link is for. */
export interface Invited {
  /** null: the first operator, who is still to say who that is. */
  readonly user: { readonly id: string; readonly email: string; readonly name: string } | null;
}

export interface NewPassword {
  readonly password: string;
  /** Of the first operator. */
  readonly email?: string;
  readonly name?: string;
  /** Where whoever becomes the first operator comes from. */
  readonly address?: string;
}

/** One-time links to the panel where a user sets a password. No mail leaves the service: whoever makes a link hands it on. */
@Injectable()
export class InvitationService {
  constructor(
    private readonly sql: Sql,
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly address: PanelAddress,
    private readonly audit: AuditLog,
  ) {}

  /** Also resets: the old password works until the link has been used. */
  async invite(email: string, session: Queryable = this.sql): Promise<InvitationLink> {
    const user = await this.users.get(email);
    if (user.disabledAt) throw new RefusalError(`${user.email} is disabled: enable the user first`);
    return this.create(user.id, session);
  }

  /** A link for whoever starts the service first; null once there is an operator. */
  async inviteFirstOperator(): Promise<InvitationLink | null> {
    return (await this.hasOperator()) ? null : this.create(null, this.sql);
  }

  async find(secret: string): Promise<Invited | null> {
    const row = await this.sql.row<{ user_id: string | null; email: string; name: string }>(FIND, [keyOf(secret)]);
    return row && { user: row.user_id === null ? null : { id: row.user_id, email: row.email, name: row.name } };
  }

  /** Uses the link up, sets the password and ends every session of the user; returns the user's id. */
  async redeem(secret: string, chosen: NewPassword): Promise<string> {
    const hash = await this.passwords.hash(chosen.password);
    return this.sql.transaction(async (tx) => {
      const used = await tx.row<{ user_id: string | null }>(USE, [keyOf(secret)]);
      // An address that is refused takes the use of the link back with it.
      const userId = used && (used.user_id ?? (await this.createFirst(chosen, tx)));
      const set = userId !== null && (await tx.execute(SET_PASSWORD, [userId, hash])) > 0;
      if (!set) throw new RefusalError('this link is not valid any more');
      return userId;
    });
  }

  private async createFirst({ email = '', name = '', address = '' }: NewPassword, tx: SqlTransaction): Promise<string> {
    const user = await this.users.create(email, { name, operator: true }, tx);
    const entry = { action: 'user.create', subject: `user ${user.email}`, after: { name: user.name, operator: true } };
    await this.audit.append({ id: user.id, address }, { ...entry, outcome: 'done' }, tx);
    return user.id;
  }

  async sweep(): Promise<void> {
    await this.sql.execute(SWEEP);
  }

  private async hasOperator(): Promise<boolean> {
    return (await this.sql.row<{ found: boolean }>(HAS_OPERATOR))!.found;
  }

  private async create(userId: string | null, session: Queryable): Promise<InvitationLink> {
    const secret = randomBytes(32).toString('base64url');
    const row = await session.row<{ expires_at: Date }>(INVITE, [keyOf(secret), userId, VALID_HOURS]);
    // In the query, which no log of requests keeps.
    return { url: `${this.address.baseUrl()}/panel/invitation?key=${secret}`, expiresAt: row!.expires_at };
  }
}

function keyOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
