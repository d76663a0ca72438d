import { useVisit } from '../layout/current-visit';

export const TOP_UP = '/panel/top-up';

/** How customers top up, in the operator's own words: a paragraph for each of its lines. */
export function TopUpText() {
  const { text } = useVisit().topUp;
  if (text === undefined) return null;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return (
    <div class="top-up">
      {lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}
