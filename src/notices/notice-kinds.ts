import type { InEachLanguage } from '../languages/languages';

/** What operators are told of. */
export const NOTICE_KINDS = [
  'finding',
  'quarantine',
  'low_stake',
  'low_bandwidth',
  'low_trx',
  'orders_failing',
  'node_set_aside',
  'webhook_disabled',
  'mails_late',
  'witness_changed',
  'sign_up',
  'deposit_waiting',
  'glance',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** How operators are told. */
export const OPERATOR_CHANNELS = ['email', 'telegram', 'webhook'] as const;
export type OperatorChannel = (typeof OPERATOR_CHANNELS)[number];

/** `customers`: mail to users whose balance is low. */
export const CHANNELS = [...OPERATOR_CHANNELS, 'customers'] as const;
export type Channel = (typeof CHANNELS)[number];

export const CUSTOMER_KINDS = ['low_balance'] as const;
export type CustomerKind = (typeof CUSTOMER_KINDS)[number];

export type AnyKind = NoticeKind | CustomerKind;

export function kindsOf(channel: Channel): readonly AnyKind[] {
  return channel === 'customers' ? CUSTOMER_KINDS : NOTICE_KINDS;
}

/** Something that is wrong now. */
export interface Trouble {
  readonly kind: AnyKind;
  /** With the kind, what makes it the same one. */
  readonly thing: string;
  /** When it began, by the database's clock; null: since it is seen. */
  readonly begunAt: Date | null;
  /** Told again each day while it lasts. */
  readonly reminds: boolean;
  readonly text: InEachLanguage;
}

/** What a notice says, as it is kept until it is sent: in the languages of the version that has written it. */
export interface NoticeItem {
  readonly kind: AnyKind | 'test';
  readonly text: Pick<InEachLanguage, 'en'> & Partial<InEachLanguage>;
}
