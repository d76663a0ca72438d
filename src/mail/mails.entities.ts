import { defineEntity, p } from '@mikro-orm/core';

/** `failed`: given up; `undeliverable`: given up because the server refuses the address; `void`: there was nothing to send, because the address has no account, or the link was no good any more. */
export const MAIL_STATES = ['pending', 'sent', 'failed', 'undeliverable', 'void'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** One mail to one user, until a server has taken it or it is given up. */
export const Mail = defineEntity({
  name: 'Mail',
  tableName: 'mails',
  properties: {
    id: p.uuid().primary(),
    /** As `languages/<code>/mails.ts` names them. */
    kind: p.text(),
    address: p.text(),
    /** From where a form asked for it, which counts against its limits; null: the service or an operator did. */
    network: p.text().nullable(),
    /** The IPv6 network of 48 bits around it; null of IPv4. */
    wideNetwork: p.text().nullable(),
    /** The reader's; null, or one that this version lacks: operators'. */
    language: p.text().nullable(),
    /** What the text says besides the link. */
    facts: p.json<Record<string, string>>(),
    /** Where the link leads is made for this when the mail is sent: the row has no secret. */
    linkFor: p.text().nullable(),
    state: p.enum(MAIL_STATES).default('pending'),
    /** Counted when they begin. */
    attempts: p.integer().default(0),
    /** Error of the last attempt; a short code, never what a server has said. */
    error: p.text().nullable(),
    nextAt: p.datetime(6).nullable(),
    /** Each claim raises it, so that a late writer changes nothing. */
    epoch: p.integer().default(0),
    claimedUntil: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** null: it waits. */
    endedAt: p.datetime(6).nullable(),
  },
  indexes: [
    { name: 'mails_pending', properties: ['nextAt'], where: "state = 'pending'" },
    { name: 'mails_created_at', properties: ['createdAt'] },
    { name: 'mails_network', properties: ['network', 'createdAt'], where: 'network is not null' },
    { name: 'mails_wide_network', properties: ['wideNetwork', 'createdAt'], where: 'wide_network is not null' },
    { name: 'mails_asked', properties: ['kind', 'createdAt'], where: 'network is not null' },
    {
      name: 'mails_mailbox',
      expression: `create index mails_mailbox on mails (regexp_replace(address, '(.)[+][^@]*@', '\\1@'), created_at)`,
    },
  ],
  checks: [
    { name: 'mails_next', expression: "(state = 'pending') = (next_at is not null)" },
    { name: 'mails_end', expression: "(state = 'pending') = (ended_at is null)" },
  ],
});
