import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { AuditLog } from '../../audit-log/audit-log';
import { userSubject } from '../../audit-log/subjects';
import { DomainError } from '../../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import type { Identity, UserRecord } from '../../users/user-record';
import { UserRepository } from '../../users/user.repository';
import { UserService } from '../../users/user.service';
import { PasswordService, type WithPassword } from '../passwords/password.service';
import * as statements from './invitation.statements';
import { PanelAddress } from './panel-address';

const VALID_HOURS = 72;

export interface InvitationLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Whom a link is for. */
export interface Invited {
  /** null: the first operator, who has no row yet. */
  readonly user: { readonly id: string; readonly email: string; readonly name: string } | null;
}

export interface NewPassword extends WithPassword {
  readonly password: string;
  /** For the first operator. */
  readonly email?: string;
  readonly name?: string;
  /** From where the link is used. */
  readonly address?: string;
}

/** One-time links to the panel where a user sets a password. The service sends no mail: the operator who makes a link hands it on. */
@Injectable()
export class InvitationService {
  constructor(
    private readonly sql: Sql,
    private readonly users: UserService,
    private readonly userRows: UserRepository,
    private readonly passwords: PasswordService,
    private readonly address: PanelAddress,
    private readonly auditLog: AuditLog,
  ) {}

  /** Also for a reset: the old password works until the link has been used. */
  async invite(email: string, tx?: SqlTransaction): Promise<InvitationLink> {
    const user = await this.users.get(email);
    return this.sql.within(tx, (within) => this.inviteUser(user, within));
  }

  /** Withdraws the links of all users. Returns how many could still be used. */
  async withdrawAll(tx: SqlTransaction): Promise<number> {
    return (await tx.row(statements.WITHDRAW_ALL))!.withdrawn;
  }

  /** Whether there was a link that could still be used. */
  async withdraw(userId: string, db: Queryable = this.sql): Promise<boolean> {
    return (await db.execute(statements.WITHDRAW, [userId])) > 0;
  }

  /** Null once there is an operator. */
  inviteFirstOperator(): Promise<InvitationLink | null> {
    return this.sql.transaction(async (tx) => {
      await this.userRows.holdOperators(tx);
      return (await this.userRows.hasOperator(tx)) ? null : this.create(null, tx);
    });
  }

  hasOperator(): Promise<boolean> {
    return this.userRows.hasOperator();
  }

  /** Null when the link can no longer be used. */
  async find(secret: string): Promise<Invited | null> {
    const row = await this.sql.row(statements.FIND, [keyOf(secret)]);
    return row && { user: row.userId === null ? null : { id: row.userId, email: row.email, name: row.name } };
  }

  /** Sets the password with the link, which then no longer works, and ends every session of the user. */
  async redeem(secret: string, chosen: NewPassword): Promise<Identity> {
    const invited = await this.find(secret);
    if (!invited) throw new DomainError('invitation.not-valid');
    const { email = chosen.email ?? '', name = chosen.name ?? '' } = invited.user ?? {};
    const hash = await this.passwords.hash(chosen.password, invited.user?.id ?? 'the first operator', [email, name]);
    return this.sql.transaction(async (tx) => {
      // The user before the link, as everywhere: two transactions that lock them in turns would wait for each other.
      const held = await this.hold(invited, tx);
      if (!held || !(await tx.row(statements.USE, [keyOf(secret)]))) throw new DomainError('invitation.not-valid');
      // Refusing the address rolls the use of the link back too.
      const id = invited.user?.id ?? (await this.createFirst(chosen, tx));
      const identity = (await this.passwords.store(tx, id, hash))!;
      const after = await this.passwords.endTokens(tx, id, chosen);
      const subject = userSubject(identity.email);
      const entry = { action: 'password.set-by-link', subject, outcome: 'done', after } as const;
      // For the first operator the log has an entry already.
      if (invited.user) await this.auditLog.append({ id, address: chosen.address ?? '' }, entry, tx);
      return identity;
    });
  }

  async sweep(): Promise<void> {
    await this.sql.execute(statements.SWEEP);
  }

  /** False for a user who was disabled meanwhile. */
  private async hold({ user }: Invited, tx: SqlTransaction): Promise<boolean> {
    if (user) return this.userRows.holdEnabled(user.id, tx);
    await this.userRows.holdOperators(tx);
    return true;
  }

  private async createFirst({ email = '', name = '', address = '' }: NewPassword, tx: SqlTransaction): Promise<string> {
    const user = await this.users.create(email, { name, operator: true }, tx);
    const entry = {
      action: 'user.create',
      subject: userSubject(user.email),
      after: { name: user.name, operator: true },
    };
    await this.auditLog.append({ id: user.id, address }, { ...entry, outcome: 'done' }, tx);
    return user.id;
  }

  private async inviteUser({ id, email }: UserRecord, tx: SqlTransaction): Promise<InvitationLink> {
    if (!(await this.userRows.holdEnabled(id, tx))) throw new DomainError('user.disabled', { email });
    return this.create(id, tx);
  }

  private async create(userId: string | null, tx: SqlTransaction): Promise<InvitationLink> {
    const secret = randomBytes(32).toString('base64url');
    const { expires_at: expiresAt } = (await tx.row(statements.INVITE, [keyOf(secret), userId, VALID_HOURS]))!;
    // In the query, which the request log leaves out.
    return { url: `${this.address.baseUrl()}/panel/invitation?key=${secret}`, expiresAt };
  }
}

/** Only the hash is stored. */
function keyOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
