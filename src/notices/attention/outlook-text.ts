import { ERROR_ANSWERS } from '../../common/errors/error-codes';
import type { OrderRefusal } from '../../common/why-refused';
import type { Texts } from '../../languages/languages';

/** How every new order is answered, and why. */
export function outlookText({ code, why }: OrderRefusal, texts: Texts['panel']['newOrders']): string {
  return texts.refused(ERROR_ANSWERS[code].status, code, texts.why[why]);
}
