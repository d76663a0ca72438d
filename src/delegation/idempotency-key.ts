import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ServiceError } from '../common/errors/service.error';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
export const IDEMPOTENCY_KEY_SENTENCE = 'The idempotency key must be 1 to 255 printable ASCII characters.';

export function isIdempotencyKey(text: string): boolean {
  return PRINTABLE.test(text);
}

/** The optional `Idempotency-Key` header; null without one. */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): string | null => {
  const key = context.switchToHttp().getRequest<Request>().headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && isIdempotencyKey(key)) return key;
  throw new ServiceError('IDEMPOTENCY_KEY_INVALID', IDEMPOTENCY_KEY_SENTENCE, {
    details: { idempotency_key: [IDEMPOTENCY_KEY_SENTENCE] },
  });
});
