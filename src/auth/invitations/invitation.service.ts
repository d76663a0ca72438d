import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit-log/audit-log';
import { DomainError } from '../../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import { type UserRecord, UserService } from '../../users/user.service';
import { PasswordService } from '../passwords/password.service';
import type { Identity } from '../sessions/session.service';
import {
  FIND,
  HAS_OPERATOR,
  HOLD_FIRST_OPERATOR,
  HOLD_USER,
  INVITE,
  SWEEP,
  USE,
  WITHDRAW,
} from './invitation.statements';
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
  async invite(email: string, tx?: SqlTransaction): Promise<InvitationLink> {
    const user = await this.users.get(email);
    return tx ? this.inviteUser(user, tx) : this.sql.transaction((own) => this.inviteUser(user, own));
  }

  /** Whether there was a link that could still be used. */
  async withdraw(userId: string, session: Queryable = this.sql): Promise<boolean> {
    return (await session.execute(WITHDRAW, [userId])) > 0;
  }

  /** A link for whoever starts the service first; null once there is an operator. */
  async inviteFirstOperator(): Promise<InvitationLink | null> {
    return this.sql.transaction(async (tx) => {
      await tx.execute(HOLD_FIRST_OPERATOR);
      const { found } = (await tx.row<{ found: boolean }>(HAS_OPERATOR))!;
      return found ? null : this.create(tx, null);
    });
  }

  async hasOperator(): Promise<boolean> {
    return (await this.sql.row<{ found: boolean }>(HAS_OPERATOR))!.found;
  }

  async find(secret: string): Promise<Invited | null> {
    const row = await this.sql.row<{ user_id: string | null; email: string; name: string }>(FIND, [keyOf(secret)]);
    return row && { user: row.user_id === null ? null : { id: row.user_id, email: row.email, name: row.name } };
  }

  /** Uses the link up, sets the password and ends every session of the user. */
  async redeem(secret: string, chosen: NewPassword): Promise<Identity> {
    const hash = await this.passwords.hash(chosen.password);
    const invited = await this.find(secret);
    if (!invited) throw new DomainError('invitation.not-valid');
    return this.sql.transaction(async (tx) => {
      // The user before the link, as everywhere: in turns they could wait for each other.
      const held = await tx.row(invited.user ? HOLD_USER : HOLD_FIRST_OPERATOR, invited.user ? [invited.user.id] : []);
      if (!held || !(await tx.row(USE, [keyOf(secret)]))) throw new DomainError('invitation.not-valid');
      // An address that is refused takes the use of the link back with it.
      const id = invited.user?.id ?? (await this.createFirst(chosen, tx));
      return (await this.passwords.store(tx, id, hash))!;
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

  private async inviteUser({ id, email }: UserRecord, tx: SqlTransaction): Promise<InvitationLink> {
    if (!(await tx.row(HOLD_USER, [id]))) throw new DomainError('user.disabled', { email });
    return this.create(tx, id);
  }

  private async create(tx: SqlTransaction, userId: string | null): Promise<InvitationLink> {
    const secret = randomBytes(32).toString('base64url');
    const row = await tx.row<{ expires_at: Date }>(INVITE, [keyOf(secret), userId, VALID_HOURS]);
    // In the query, which no log of requests keeps.
    return { url: `${this.address.baseUrl()}/panel/invitation?key=${secret}`, expiresAt: row!.expires_at };
  }
}

function keyOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
