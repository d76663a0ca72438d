import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditLog } from '../../audit-log/audit-log';
import { userSubject } from '../../audit-log/subjects';
import { DomainError } from '../../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import { MailLinks } from '../../mail/mail-links';
import { MailOutbox } from '../../mail/mail-outbox';
import type { Identity, UserRecord } from '../../users/user-record';
import { UserRepository } from '../../users/user.repository';
import { UserService } from '../../users/user.service';
import { checkEmail } from '../../users/user.validation';
import { keyOf, newSecret } from '../link-secret';
import { PasswordService, type WithPassword } from '../passwords/password.service';
import * as statements from './invitation.statements';
import { PanelAddress } from '../../common/http/panel-address';

const VALID_HOURS = 72;
/** From the moment in which its mail is sent. */
const RESET_VALID_HOURS = 1;

export interface InvitationLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Whom a link is for. */
export interface Invited {
  /** null: the first operator, who has no row yet. */
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    /** The account had another address when its password was set: another person may have made its tokens. */
    readonly hasNewAddress: boolean;
  } | null;
}

export interface NewPassword extends WithPassword {
  readonly password: string;
  /** For the first operator. */
  readonly email?: string;
  readonly name?: string;
  /** From where the link is used. */
  readonly address?: string;
}

/** One-time links to the panel where a user sets a password: an operator's, which is shown to the operator and mailed, and a user's own. */
@Injectable()
export class InvitationService implements OnModuleInit {
  constructor(
    private readonly sql: Sql,
    private readonly users: UserService,
    private readonly userRows: UserRepository,
    private readonly passwords: PasswordService,
    private readonly address: PanelAddress,
    private readonly auditLog: AuditLog,
    private readonly outbox: MailOutbox,
    private readonly links: MailLinks,
  ) {}

  onModuleInit(): void {
    this.links.register('invitation', (printed, address) =>
      this.makeForMail(async (key, tx) => {
        const invited = await tx.row(statements.USER_OF, [printed]);
        if (invited?.userId == null || !(await this.userRows.holdEnabled(invited.userId, tx))) return 0;
        return tx.execute(statements.ADD_FOR_MAIL, [key, printed, address]);
      }),
    );
    this.links.register('password_reset', (linkFor, address) =>
      this.makeForMail(async (key, tx) => {
        const [userId = '', epoch] = linkFor.split(' ');
        if (!(await this.userRows.holdEnabled(userId, tx))) return 0;
        return tx.execute(statements.ADD_RESET, [key, userId, address, Number(epoch), RESET_VALID_HOURS]);
      }),
    );
  }

  /** Also for a reset: the old password works until the link has been used. */
  async invite(email: string, tx?: SqlTransaction): Promise<InvitationLink> {
    const user = await this.users.get(email);
    return this.sql.within(tx, (within) => this.inviteUser(user, within));
  }

  /**
   * Mails a link to set a new password to the address of the user with this mailbox: after the same work, and counted the same, where there is none.
   * `language`: of the mail, unless the user has chosen another one. @throws DomainError for what is not an address
   */
  async askReset(typed: string, language: string, network: string): Promise<void> {
    const address = checkEmail(typed);
    await this.outbox.forForm('password_reset', network, address, async (tx) => {
      const user = await tx.row(statements.FIND_FOR_RESET, [address]);
      const to = { address: user?.email ?? address, language: user?.language ?? language };
      const draft = { kind: 'password_reset' as const, ...to, facts: {} };
      if (!user) return this.outbox.askInVain(draft, network, tx);
      return this.outbox.ask({ ...draft, linkFor: `${user.userId} ${user.sessionEpoch}` }, network, tx);
    });
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
    if (!row) return null;
    const { userId, ...user } = row;
    return { user: userId === null ? null : { ...user, id: userId } };
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
      const { identity, after } = (await this.passwords.store(tx, id, hash, chosen))!;
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
    const link = await this.create(id, tx);
    await this.outbox.sendLink(id, 'invitation', link.key, tx);
    return link;
  }

  /** The panel's page that a new link leads to; null when what it was to open is over. */
  private async makeForMail(add: (key: string, tx: SqlTransaction) => Promise<number>): Promise<string | null> {
    const secret = newSecret();
    const added = await this.sql.transaction((tx) => add(keyOf(secret), tx));
    return added > 0 ? pageOf(secret) : null;
  }

  private async create(userId: string | null, tx: SqlTransaction): Promise<InvitationLink & { readonly key: string }> {
    const secret = newSecret();
    const key = keyOf(secret);
    const { expires_at: expiresAt } = (await tx.row(statements.INVITE, [key, userId, VALID_HOURS]))!;
    return { url: `${this.address.baseUrl()}${pageOf(secret)}`, expiresAt, key };
  }
}

/** In the query, which the request log leaves out. */
function pageOf(secret: string): string {
  return `/panel/invitation?key=${secret}`;
}
