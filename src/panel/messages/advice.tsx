import { useMessages, useVisit } from '../layout/current-visit';
import { TOP_UP } from '../money/top-up-text';
import { textOfCode } from './code-text';

/** What a customer does about an answer; one without money leads to the page that says how to top up. */
export function Advice({ code }: { code: string | null }) {
  const { advice, topUpFirst } = useMessages('answer');
  const { deposits, text } = useVisit().topUp;
  if (code === 'INSUFFICIENT_BALANCE' && (deposits || text !== undefined)) {
    return <a href={deposits ? TOP_UP : '/panel/balance#top-up'}>{topUpFirst}</a>;
  }
  return <>{textOfCode(code, advice)}</>;
}
