import { MissingError, RefusalError } from '../../common/refusal.error';
import { refusalText } from '../i18n/refusal-text';
import { SeeOther } from './reply';
import type { Visit } from './visit';

/** Does what a form asks for, then leads to `url` with what came of it; a refusal is told there too. What is not there is an error page. */
export async function carryOut({ locale }: Visit, url: string, work: () => Promise<string>): Promise<SeeOther> {
  try {
    return new SeeOther(url, { kind: 'done', text: await work() });
  } catch (error) {
    if (!(error instanceof RefusalError) || error instanceof MissingError) throw error;
    return new SeeOther(url, { kind: 'refused', text: refusalText(error, locale) });
  }
}
