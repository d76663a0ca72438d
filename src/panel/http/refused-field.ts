import type { DomainErrorCode } from '../../common/errors/domain-errors';
import type { DomainError } from '../../common/errors/domain.error';

/** The field of a form that a refusal is about, as the forms name it. */
const FIELDS: Readonly<Partial<Record<DomainErrorCode, string>>> = {
  'user.email-taken': 'email',
  'user.email-invalid': 'email',
  'user.name-length': 'name',
  'user.name-unseen': 'name',
  'user.name-changed': 'name',
  'user.unit-price-out-of-bounds': 'unit_price',
  'user.unit-price-changed': 'unit_price',
  'user.rate-limit-invalid': 'rate_limit',
  'user.rate-limit-not-positive': 'rate_limit',
  'user.rate-limit-changed': 'rate_limit',
  'user.is-oneself': 'operator',
  'user.last-operator': 'operator',
  'user.operator-changed': 'operator',
  'password.length': 'password',
  'password.common': 'password',
  'wallet.name-unseen': 'name',
  'wallet.reason-needed': 'reason',
  'second-factor.code-wrong': 'code',
  'token.name-length': 'name',
  'token.name-unseen': 'name',
  'token.receiver-invalid': 'receivers',
  'token.receivers-too-many': 'receivers',
  'token.ip-invalid': 'ips',
  'token.ips-too-many': 'ips',
  'movement.note-length': 'note',
  'sign-up.note-length': 'note',
  'movement.reference-empty': 'reference',
  'movement.reference-length': 'reference',
  'movement.reference-used': 'reference',
  'movement.amount-not-positive': 'amount',
  'movement.balance-insufficient': 'amount',
  'movement.balance-too-large': 'amount',
  'webhook.url-invalid': 'url',
  'webhook.url-not-https': 'url',
  'webhook.url-credentials': 'url',
  'webhook.url-address': 'url',
  'webhook.url-private': 'url',
  'webhook.url-length': 'url',
  'webhook.events-invalid': 'events',
  'wallet.address-invalid': 'address',
  'wallet.address-taken': 'address',
  'wallet.name-taken': 'name',
  'wallet.key-variable-invalid': 'key',
  'wallet.key-file-invalid': 'key',
  'wallet.key-file-not-absolute': 'key',
  'subscription.quota-invalid': 'transactions',
};

/** Undefined: it concerns the form as a whole. */
export function refusedField({ code }: DomainError): string | undefined {
  return FIELDS[code];
}
