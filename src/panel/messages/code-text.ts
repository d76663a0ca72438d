import { ERROR_ANSWERS, type ErrorCode } from '../../common/errors/error-codes';
import type { OrderRefusal } from '../../common/why-refused';
import type { Messages } from './catalogues';

/** Null for a code of a later version. */
export function textOfCode(code: string | null, texts: Readonly<Record<ErrorCode, string>>): string | null {
  return code !== null && Object.hasOwn(texts, code) ? texts[code as ErrorCode] : null;
}

/** How every new order is answered, and why. */
export function outlookText({ code, why }: OrderRefusal, messages: Messages['newOrders']): string {
  return messages.refused(ERROR_ANSWERS[code].status, code, messages.why[why]);
}
