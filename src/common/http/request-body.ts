import type { ErrorCode } from '../errors/error-codes';
import { decodePhpJson, type PhpValue } from './php-json';

export const MAX_BODY_BYTES = 16 * 1024;

/** As Laravel's `isJson`, in any case of letters. */
const JSON_TYPE = /[/+]json/i;

/** A request's body as read, with what was wrong with it: answered only after token, permission and rate limit were checked. */
export class RequestBody {
  private constructor(
    readonly values: Readonly<Record<string, PhpValue>>,
    readonly problem?: Extract<ErrorCode, 'MALFORMED_BODY' | 'UNSUPPORTED_MEDIA_TYPE' | 'BODY_TOO_LARGE'>,
  ) {}

  static readonly tooLarge = new RequestBody({}, 'BODY_TOO_LARGE');

  static read(bytes: Buffer, contentType: string | undefined): RequestBody {
    if (bytes.length === 0 && contentType === undefined) return new RequestBody({}, 'MALFORMED_BODY');
    if (!JSON_TYPE.test(contentType ?? '')) return new RequestBody({}, 'UNSUPPORTED_MEDIA_TYPE');
    const value = decodePhpJson(bytes);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return new RequestBody({}, 'MALFORMED_BODY');
    }
    return new RequestBody(value);
  }
}
