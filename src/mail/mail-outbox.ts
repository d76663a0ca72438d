import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import type { SqlTransaction } from '../database/sql';
import type { Texts } from '../languages/languages';
import { MailRepository } from './mail.repository';

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

/**
 * Mails to users, written in the transaction that makes them true. Without a mail server nothing is written: a row that nothing sends would be
 * out of date on the day that one is set up.
 */
@Injectable()
export class MailOutbox {
  constructor(
    private readonly mails: MailRepository,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  get isOpen(): boolean {
    return this.configuration.notices.email !== null;
  }

  /**
   * A form asked for it, perhaps a stranger's, from this network. False when it is dropped: so many mails of the hour went to the address, or
   * were asked for from the network.
   */
  ask<Kind extends MailKind>(draft: Draft<Kind>, network: string, tx: SqlTransaction): Promise<boolean> {
    return this.mails.ask({ ...draft, linkFor: draft.linkFor ?? null }, network, 'pending', tx);
  }

  /** There is nothing to send, which costs the same time and counts the same: neither tells a stranger that such an account is missing. */
  askInVain(draft: Draft, network: string, tx: SqlTransaction): Promise<boolean> {
    return this.mails.ask({ ...draft, linkFor: null }, network, 'void', tx);
  }

  isFull(network: string, address: string): Promise<boolean> {
    return this.mails.isFull(network, address);
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
    if (this.isOpen) await this.mails.tell(userId, { kind, facts, linkFor: null }, true, tx);
  }

  /** As `tell`, with a link that an operator has asked for. */
  async sendLink(userId: string, kind: MailKind, linkFor: string, tx: SqlTransaction): Promise<void> {
    if (this.isOpen) await this.mails.tell(userId, { kind, facts: {}, linkFor }, false, tx);
  }
}
