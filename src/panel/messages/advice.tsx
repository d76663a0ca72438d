import { useMessages, useVisit } from '../layout/current-visit';
import { TOP_UP } from '../money/top-up-text';
import { textOfCode } from './code-text';

/** What a customer does about an answer; where deposits are on, one without money leads to them. */
export function Advice({ code }: { code: string | null }) {
  const { advice, topUpFirst } = useMessages('answer');
  const { deposits } = useVisit().topUp;
  if (code === 'INSUFFICIENT_BALANCE' && deposits) return <a href={TOP_UP}>{topUpFirst}</a>;
  return <>{textOfCode(code, advice)}</>;
}
