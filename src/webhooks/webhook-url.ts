import { DomainError, InvalidValueError } from '../common/errors/domain.error';
import { isNeverAllowed, isOwnName, isPrivate } from './allowed-address';

const LONGEST_URL = 2048;

/** The parser drops these without a word, in the middle too: what is kept would not be what is called. */
const UNSEEN = /\p{Cc}/u;

/**
 * As it was given, without blanks around it. What a name leads to shows at each connection (`webhook-agents.ts`); of a literal address that
 * can be said now.
 * @throws InvalidValueError for a text that cannot be the URL of a webhook
 * @throws DomainError for where none may lead, some of it unless `WEBHOOK_ALLOW_PRIVATE` allows it
 */
export function checkWebhookUrl(text: string, allowPrivate: boolean): string {
  const given = text.trim();
  const url = URL.parse(given);
  if (url === null || UNSEEN.test(given) || url.hostname === '' || !['https:', 'http:'].includes(url.protocol)) {
    throw new InvalidValueError('webhook.url-invalid');
  }
  if (url.username !== '' || url.password !== '') throw new InvalidValueError('webhook.url-credentials');
  if (Math.max(given.length, url.href.length) > LONGEST_URL) {
    throw new InvalidValueError('webhook.url-length', { longest: LONGEST_URL });
  }
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isNeverAllowed(address)) throw new DomainError('webhook.url-address');
  if (!allowPrivate && (isPrivate(address) || isOwnName(address))) throw new DomainError('webhook.url-private');
  if (!allowPrivate && url.protocol === 'http:') throw new DomainError('webhook.url-not-https');
  return given;
}
