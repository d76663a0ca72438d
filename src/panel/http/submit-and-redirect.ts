import { MissingError, DomainError } from '../../common/errors/domain.error';
import type { Visit } from './visit';
import { SeeOther } from './reply';

/** Does what a form asks for, then leads to `url` with the outcome, a refusal too. What is not there is an error page. */
export async function submitAndRedirect(
  { messages }: Visit,
  url: string,
  work: () => Promise<string>,
): Promise<SeeOther> {
  try {
    return new SeeOther(url, { kind: 'done', text: await work() });
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof MissingError) throw error;
    return new SeeOther(url, { kind: 'refused', text: messages.language.refusal(error) });
  }
}
