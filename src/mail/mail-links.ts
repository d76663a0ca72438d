import { Injectable } from '@nestjs/common';
import type { MailKind } from './mail-outbox';

/** Path and query of the page that a link leads to; null: what it was for is over. */
export type MakeLink = (linkFor: string, address: string) => Promise<string | null>;

/** Where mails lead that have no secret in their link, unless it is the sign-in: pages of the panel, as every link of a mail. */
const PAGES: Readonly<Partial<Record<MailKind, string>>> = {
  token_created: '/panel/tokens',
  webhook_address: '/panel/webhooks',
  second_factor_changed: '/panel/account',
};

/** How links are made, each by the room that knows what it opens: when the mail is sent, so that no row has ever held one. */
@Injectable()
export class MailLinks {
  private readonly makers = new Map<string, MakeLink>();

  register(kind: MailKind, make: MakeLink): void {
    this.makers.set(kind, make);
  }

  async linkOf(kind: MailKind, linkFor: string | null, address: string): Promise<string | null> {
    if (linkFor === null) return PAGES[kind] ?? '/panel/sign-in';
    const make = this.makers.get(kind);
    if (!make) throw new Error(`no room makes the link of a mail of the kind ${kind}`);
    return make(linkFor, address);
  }
}
