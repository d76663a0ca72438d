import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { AuditLog } from '../../audit-log/audit-log';
import { userSubject } from '../../audit-log/subjects';
import { wideNetworkOf } from '../../common/http/client-ip';
import { DomainError, MissingError } from '../../common/errors/domain.error';
import { Sql, type SqlTransaction } from '../../database/sql';
import { MailLinks } from '../../mail/mail-links';
import { MailOutbox } from '../../mail/mail-outbox';
import { Mailboxes } from '../../users/mailboxes';
import { type UserRecord, UserService } from '../../users/user.service';
import { checkEmail, checkUserName, normaliseEmail } from '../../users/user.validation';
import { keyOf, newLinkTo, readLink } from '../link-secret';
import { PasswordService } from '../passwords/password.service';
import type { SignUpRow, Waiting } from './sign-up.statements';
import * as statements from './sign-up.statements';

/** Sign-ups that wait for an operator: of one network, of an IPv6 network of 48 bits, of all. More than operators decide on in a day. */
export const MOST_WAITING = { network: 5, wide: 20, all: 200 } as const;

export interface NewSignUp {
  readonly email: string;
  readonly name: string;
  /** Counts only if the address is confirmed by the browser that has this secret. */
  readonly password: string;
  readonly browser: string;
  /** In which the mails are. */
  readonly language: string;
  /** From where it was asked for. */
  readonly network: string;
}

/** Without its secrets. */
export type SignUpView = Omit<SignUpRow, 'passwordHash' | 'browserKey'>;

/** With a password of the reader's own, or with the one that was given in this browser with the sign-up. */
export type Confirmation = { readonly password: string } | { readonly browser: string };

/**
 * How strangers become users: the reader of a link to the address confirms it, and only then there is an account, or an operator is asked for one.
 * The password of the form counts if the same browser confirms; in another one, perhaps of another person, the reader chooses one. A known address is answered like any other, after the same work.
 */
@Injectable()
export class SignUpService implements OnModuleInit {
  constructor(
    private readonly sql: Sql,
    private readonly users: UserService,
    private readonly mailboxes: Mailboxes,
    private readonly passwords: PasswordService,
    private readonly outbox: MailOutbox,
    private readonly links: MailLinks,
    private readonly auditLog: AuditLog,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.links.register('sign_up', async (id) => {
      const { text, key } = newLinkTo(id);
      const isOpen = this.isOpen && (await this.sql.execute(statements.ADD_KEY, [id, key])) > 0;
      return isOpen ? `/panel/sign-up/confirm?key=${text}` : null;
    });
  }

  get isOpen(): boolean {
    return this.configuration.customers.signUp !== 'off';
  }

  /**
   * Sends a mail: a link, or, to a known address, that it is known. Nothing, and the same answer, when so many were sent.
   * @throws DomainError for an address, a name or a password that no user could have. @throws TooManyPasswordsError
   */
  async ask({ password, browser, language, network, ...asked }: NewSignUp): Promise<void> {
    const { email, name } = checkSignUp(asked);
    if (await this.outbox.isFull('sign_up', network, email)) return;
    const hash = await this.passwords.hash(password, network, [email, name], 'stranger');
    await this.outbox.forForm('sign_up', network, email, async (tx) => {
      const id = uuid();
      const known = await tx.row(statements.FIND_KNOWN, [email]);
      const sent = known
        ? { kind: known.waits ? ('sign_up_waiting' as const) : ('sign_up_known' as const), address: known.email }
        : { kind: 'sign_up' as const, address: email, linkFor: id };
      const draft = { ...sent, language: known?.language ?? language, facts: {} };
      // For a known address too, which costs the same time: no link is ever made for that row.
      if (await this.outbox.ask(draft, network, tx)) {
        const secrets = [hash, keyOf(browser)] as const;
        await tx.execute(statements.ADD, [id, email, name, ...secrets, language, network, wideNetworkOf(network)]);
      }
    });
  }

  /** Changes nothing: mail programs open links. Null when it can no longer be used. `isOfBrowser`: the one with this secret has signed up. */
  async find(link: string, browser: string): Promise<{ email: string; isOfBrowser: boolean } | null> {
    const row = await this.findRow(link);
    return row && { email: row.email, isOfBrowser: isOf(row, browser) };
  }

  /**
   * With `approval` it waits for an operator. A password is hashed behind those of users, whose links strangers cannot have.
   * @throws DomainError for a link that was used, has ended, or whose address is known by now, for another browser, and for a password that is
   * refused. @throws TooManyPasswordsError
   */
  async confirm(link: string, confirmation: Confirmation, address: string): Promise<'ready' | 'waiting'> {
    const read = readLink(link);
    const asked = await this.findRow(link);
    if (!read || !asked) throw new DomainError('invitation.not-valid');
    const hash = await this.hashFor(asked, confirmation);
    return this.sql.transaction(async (tx) => {
      const found = await tx.row(statements.FIND, [read.id, read.key]);
      if (!found) throw new DomainError('invitation.not-valid');
      await this.mailboxes.hold(found.email, tx);
      if (await tx.row(statements.FIND_KNOWN, [found.email])) throw new DomainError('invitation.not-valid');
      const opens = this.configuration.customers.signUp === 'open';
      if (!opens) await this.refuseBeyondPlaces(found.network, tx);
      const used = opens
        ? await tx.row(statements.USE, [read.id, read.key])
        : await tx.row(statements.WAIT, [read.id, read.key, hash]);
      if (!used) throw new DomainError('invitation.not-valid');
      await tx.execute(statements.FORGET_UNCONFIRMED, [used.email]);
      if (!opens) return 'waiting';
      const { id } = await this.createUser({ ...used, passwordHash: hash }, tx);
      const entry = { action: 'user.sign-up', subject: userSubject(used.email), after: { name: used.name } };
      await this.auditLog.append({ id, address }, { ...entry, outcome: 'done' }, tx);
      return 'ready';
    });
  }

  /** Those that wait for an operator, oldest first. */
  async waiting(limit?: number): Promise<SignUpView[]> {
    return (await this.sql.rows(statements.WAITING, [limit ?? null])).map(viewOf);
  }

  /** Ends all links of those who have not confirmed their addresses yet. */
  async withdrawLinks(tx: SqlTransaction): Promise<void> {
    await tx.execute(statements.WITHDRAW_LINKS);
  }

  async countWaiting(): Promise<Waiting> {
    return (await this.sql.row(statements.COUNT_WAITING))!;
  }

  /** The user is there, and gets a mail that says so. @throws DomainError when the mailbox has become a user's */
  async approve(email: string, tx: SqlTransaction): Promise<UserRecord> {
    const row = await this.decide(email, tx);
    const user = await this.createUser(row, tx);
    await this.outbox.tell(user.id, 'approved', {}, tx);
    return user;
  }

  /** The address gets a mail with the reason. */
  async refuse(email: string, note: string, tx: SqlTransaction): Promise<SignUpView> {
    const row = await this.decide(email, tx);
    await this.outbox.send({ kind: 'refused', address: row.email, language: row.language, facts: { note } }, tx);
    return viewOf(row);
  }

  async sweep(): Promise<void> {
    await this.sql.execute(statements.SWEEP);
  }

  private async findRow(link: string): Promise<SignUpRow | null> {
    const read = readLink(link);
    return read && this.sql.row(statements.FIND, [read.id, read.key]);
  }

  /** @throws DomainError. @throws TooManyPasswordsError */
  private async hashFor(asked: SignUpRow, confirmation: Confirmation): Promise<string> {
    if ('password' in confirmation) {
      return this.passwords.hash(confirmation.password, asked.network, [asked.email, asked.name], 'stranger');
    }
    if (!isOf(asked, confirmation.browser)) throw new DomainError('invitation.not-valid');
    return asked.passwordHash;
  }

  /** The link stays good for its day. @throws DomainError */
  private async refuseBeyondPlaces(network: string, tx: SqlTransaction): Promise<void> {
    const { network: ofNetwork, wide, all } = MOST_WAITING;
    const found = await tx.row(statements.HAS_PLACE, [network, wideNetworkOf(network), ofNetwork, wide, all]);
    if (!found!.free) throw new DomainError('sign-up.too-many-wait');
  }

  private async decide(email: string, tx: SqlTransaction): Promise<SignUpRow> {
    const row = await tx.row(statements.DECIDE, [normaliseEmail(email)]);
    if (!row) throw new MissingError('sign-up.not-found', { email });
    return row;
  }

  private async createUser(row: SignUpRow, tx: SqlTransaction): Promise<UserRecord> {
    const user = await this.users.create(row.email, { name: row.name }, tx, false);
    const origin = [row.language, row.network, wideNetworkOf(row.network)] as const;
    await tx.execute(statements.SET_ORIGIN, [user.id, row.passwordHash, ...origin]);
    return user;
  }
}

/** What a user could have. @throws DomainError */
export function checkSignUp({ email, name }: { readonly email: string; readonly name: string }) {
  return { email: checkEmail(email), name: checkUserName(name) };
}

function isOf(row: SignUpRow, browser: string): boolean {
  return row.browserKey === keyOf(browser);
}

function viewOf({ id, email, name, language, network, confirmedAt }: SignUpRow): SignUpView {
  return { id, email, name, language, network, confirmedAt };
}
