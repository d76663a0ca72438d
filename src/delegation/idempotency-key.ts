import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ServiceError } from '../common/service.error';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
const SENTENCE = 'The idempotency key must be 1 to 255 printable ASCII characters.';

/** The optional `Idempotency-Key` header; null without one. */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): string | null => {
  const key = context.switchToHttp().getRequest<Request>().headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && PRINTABLE.test(key)) return key;
  throw new ServiceError('IDEMPOTENCY_KEY_INVALID', SENTENCE, { details: { idempotency_key: [SENTENCE] } });
});
