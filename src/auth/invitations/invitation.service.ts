import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RefusalError } from '../../common/refusal.error';
import { Sql, type SqlTransaction } from '../../database/sql';
import { PasswordService } from '../passwords/password.service';
import type { Identity } from '../sessions/session.service';
import { UserService } from '../user.service';
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
}

/** One-time links to the panel where a user sets a password. No mail leaves the service: whoever makes a link hands it on. */
@Injectable()
export class InvitationService {
  constructor(
    private readonly sql: Sql,
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly address: PanelAddress,
  ) {}

  /** Also resets: the old password works until the link has been used. */
  async invite(email: string): Promise<InvitationLink> {
    const user = await this.users.get(email);
    return this.sql.transaction(async (tx) => {
      const held = await tx.row(HOLD_USER, [user.id]);
      if (!held) throw new RefusalError(`${user.email} is disabled: enable the user first`);
      return this.create(tx, user.id);
    });
  }

  /** Whether there was a link that could still be used. */
  async withdraw(userId: string): Promise<boolean> {
    return (await this.sql.execute(WITHDRAW, [userId])) > 0;
  }

  /** A link for whoever starts the service first; null once there is an operator. */
  async inviteFirstOperator(): Promise<InvitationLink | null> {
    return this.sql.transaction(async (tx) => {
      await tx.execute(HOLD_FIRST_OPERATOR);
      const { found } = (await tx.row<{ found: boolean }>(HAS_OPERATOR))!;
      return found ? null : this.create(tx, null);
    });
  }

  async find(secret: string): Promise<Invited | null> {
    const row = await this.sql.row<{ user_id: string | null; email: string; name: string }>(FIND, [keyOf(secret)]);
    return row && { user: row.user_id === null ? null : { id: row.user_id, email: row.email, name: row.name } };
  }

  /** Uses the link up, sets the password and ends every session of the user. */
  async redeem(secret: string, { password, email, name }: NewPassword): Promise<Identity> {
    const hash = await this.passwords.hash(password);
    const invited = await this.find(secret);
    if (!invited) throw new RefusalError('this link is not valid any more');
    return this.sql.transaction(async (tx) => {
      // The user before the link, as everywhere: in turns they could wait for each other.
      const held = await tx.row(invited.user ? HOLD_USER : HOLD_FIRST_OPERATOR, invited.user ? [invited.user.id] : []);
      if (!held || !(await tx.row(USE, [keyOf(secret)]))) throw new RefusalError('this link is not valid any more');
      // An address that is refused leaves the link to be tried again.
      const id = invited.user?.id ?? (await this.users.createOperator(tx, email ?? '', name ?? ''));
      return (await this.passwords.store(tx, id, hash))!;
    });
  }

  async sweep(): Promise<void> {
    await this.sql.execute(SWEEP);
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
