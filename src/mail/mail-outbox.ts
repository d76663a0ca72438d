import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { Lane, LaneFullError } from '../common/concurrency/lane';
import { Sql, type SqlTransaction } from '../database/sql';
import type { Texts } from '../languages/languages';
import { DroppedMails } from './dropped-mails';
import { MailRepository } from './mail.repository';
import type { LimitReached } from './mail.statements';

type MailTexts = Texts['mails'];
export type MailKind = keyof MailTexts;
/** What the text of a kind says besides the link. */
export type FactsOf<Kind extends MailKind> = Parameters<MailTexts[Kind]>[1];

export interface Draft<Kind extends MailKind = MailKind> {
  readonly kind: Kind;
  /** In its one spelling: mail never goes to an address as it was typed. */
  readonly address: string;
  readonly language: string | null;
  readonly facts: FactsOf<Kind>;
  /** What the link is for, where it is made for this mail. */
  readonly linkFor?: string;
}

/** A form waits for others of its network and its address, with a connection that orders need too: so these are all that forms get. */
const FORMS_AT_ONCE = 2;
const LONGEST_WAIT_MS = 2_000;

/**
 * Mails to users, written in the transaction that makes them true. Without a mail server nothing is written: a row that nothing sends would be
 * out of date on the day that one is set up.
 */
@Injectable()
export class MailOutbox {
  private readonly forms = new Lane(FORMS_AT_ONCE, LONGEST_WAIT_MS);

  constructor(
    private readonly sql: Sql,
    private readonly mails: MailRepository,
    private readonly dropped: DroppedMails,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  get isOpen(): boolean {
    return this.configuration.notices.email !== null;
  }

  /**
   * The transaction of a form that asks for a mail of this kind, or one in its place, to this address, a few at a time. Nothing is done, and nothing is thrown, when the network or the
   * address has had its mails of the hour, or so many forms wait: the answer is the same.
   */
  async forForm(
    kind: MailKind,
    network: string,
    address: string,
    work: (tx: SqlTransaction) => Promise<unknown>,
  ): Promise<void> {
    try {
      await this.forms.run(async () => {
        if (!(await this.isFull(kind, network, address))) await this.sql.transaction(work);
      });
    } catch (error) {
      if (!(error instanceof LaneFullError)) throw error;
      this.dropped.note('busy');
    }
  }

  /** Whether a mail of this kind would be dropped now: what costs more than a look is not begun for it. */
  async isFull(kind: MailKind, network: string, address: string): Promise<boolean> {
    return !this.isKept(await this.mails.limitReached(kind, network, address));
  }

  /**
   * A form asked for it, perhaps a stranger's, from this network. False when it is dropped: so many mails of the hour went to the address, or
   * were asked for from the network. In the transaction of `forForm`.
   */
  async ask<Kind extends MailKind>(draft: Draft<Kind>, network: string, tx: SqlTransaction): Promise<boolean> {
    return this.isKept(await this.mails.ask({ ...draft, linkFor: draft.linkFor ?? null }, network, 'pending', tx));
  }

  /** There is nothing to send, which costs the same time and counts the same: neither tells a stranger that such an account is missing. */
  async askInVain(draft: Draft, network: string, tx: SqlTransaction): Promise<boolean> {
    return this.isKept(await this.mails.ask({ ...draft, linkFor: null }, network, 'void', tx));
  }

  /** An operator's word, or the answer to a user's own act at another address. */
  async send<Kind extends MailKind>(draft: Draft<Kind>, tx: SqlTransaction): Promise<void> {
    if (this.isOpen) await this.mails.send({ ...draft, linkFor: draft.linkFor ?? null }, tx);
  }

  /** To a user, in the language that the user has chosen: something has changed in the account. */
  async tell<Kind extends MailKind>(
    userId: string,
    kind: Kind,
    facts: FactsOf<Kind>,
    tx: SqlTransaction,
  ): Promise<void> {
    if (!this.isOpen) return;
    const isTold = await this.mails.tell(userId, { kind, facts, linkFor: null }, true, tx);
    if (!isTold) this.dropped.note('changes');
  }

  /** As `tell`, with a link that an operator has asked for. */
  async sendLink(userId: string, kind: MailKind, linkFor: string, tx: SqlTransaction): Promise<void> {
    if (this.isOpen) await this.mails.tell(userId, { kind, facts: {}, linkFor }, false, tx);
  }

  private isKept(reached: LimitReached | null): boolean {
    if (reached !== null) this.dropped.note(reached);
    return reached === null;
  }
}
