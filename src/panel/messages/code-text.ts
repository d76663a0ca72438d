import type { ErrorCode } from '../../common/errors/error-codes';

/** Null for a code of a later version. */
export function textOfCode(code: string | null, texts: Readonly<Record<ErrorCode, string>>): string | null {
  return code !== null && Object.hasOwn(texts, code) ? texts[code as ErrorCode] : null;
}
