import { InvalidValueError } from '../common/errors/domain.error';
import { isNeverAllowed, isPrivate } from './allowed-address';

const LONGEST_URL = 2048;

/**
 * As it is kept. What a name leads to shows at each connection (`webhook-agents.ts`); of a literal address that can be said now.
 * @throws InvalidValueError
 */
export function checkWebhookUrl(text: string, allowPrivate: boolean): string {
  const url = URL.parse(text.trim());
  if (url === null || url.hostname === '' || !['https:', 'http:'].includes(url.protocol)) {
    throw new InvalidValueError('webhook.url-invalid');
  }
  if (url.protocol === 'http:' && !allowPrivate) throw new InvalidValueError('webhook.url-not-https');
  if (url.username !== '' || url.password !== '') throw new InvalidValueError('webhook.url-credentials');
  url.hash = '';
  if (url.href.length > LONGEST_URL) throw new InvalidValueError('webhook.url-length', { longest: LONGEST_URL });
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isNeverAllowed(address) || (!allowPrivate && isPrivate(address)))
    throw new InvalidValueError('webhook.url-address');
  return url.href;
}
