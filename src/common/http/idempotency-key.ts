import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ServiceError } from '../errors/service.error';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
export const IDEMPOTENCY_KEY_SENTENCE = 'The idempotency key must be 1 to 255 printable ASCII characters.';
const DIFFERENT_KEYS_SENTENCE = 'The idempotency key was sent more than once, with different values.';

export function isIdempotencyKey(text: string): boolean {
  return PRINTABLE.test(text);
}

/**
 * The key that a line of the header names. A wrapper that adds the header to each try, or a proxy that folds lines, repeats the key
 * behind a comma: it is still the key of the first try, or the order would be placed and charged again. A line whose parts differ is a
 * key that has a comma.
 */
export function keyOfLine(line: string): string {
  const [first = '', ...others] = line.split(',').map((part) => part.trim());
  return others.length > 0 && others.every((part) => part === first) ? first : line;
}

/** The optional `Idempotency-Key` header; null without one. */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): string | null => {
  // Node joins the lines of a header that it does not know: only here they are apart.
  const lines = context.switchToHttp().getRequest<Request>().headersDistinct['idempotency-key'] ?? [];
  const [key, ...others] = new Set(lines.map(keyOfLine));
  if (key === undefined) return null;
  if (others.length > 0) throw invalid(DIFFERENT_KEYS_SENTENCE);
  if (!isIdempotencyKey(key)) throw invalid(IDEMPOTENCY_KEY_SENTENCE);
  return key;
});

function invalid(sentence: string): ServiceError {
  return new ServiceError('IDEMPOTENCY_KEY_INVALID', sentence, { details: { idempotency_key: [sentence] } });
}
