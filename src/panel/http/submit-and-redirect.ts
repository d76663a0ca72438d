import { MissingError, RefusalError } from '../../common/errors/domain.error';
import { refusalText } from '../messages/refusal-text';
import { SeeOther } from './reply';
import type { Visit } from './page-context';

/** Does what a form asks for, then leads to `url` with what came of it; a refusal is told there too. What is not there is an error page. */
export async function carryOut({ locale }: Visit, url: string, work: () => Promise<string>): Promise<SeeOther> {
  try {
    return new SeeOther(url, { kind: 'done', text: await work() });
  } catch (error) {
    if (!(error instanceof RefusalError) || error instanceof MissingError) throw error;
    return new SeeOther(url, { kind: 'refused', text: refusalText(error, locale) });
  }
}
