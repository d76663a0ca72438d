import type { BlockHeader } from './block-header';
import { neededWitnesses } from './final-height';
import type { Judge } from './judge';

/** A chain with two thirds of its witnesses silent is looked through no further. */
const MOST_HEADERS = 500;

/**
 * The headers above a block until so many witnesses have built on it that it is final (19 of 27), all signed. Null when they are not there.
 * @param at headers of the verified chain
 */
export function headersBuiltOn(
  block: BlockHeader,
  at: (number: number) => BlockHeader | undefined,
  judge: Judge,
): BlockHeader[] | null {
  const needed = neededWitnesses(judge.witnesses.length);
  const above: BlockHeader[] = [];
  const signed = new Set<string>();
  while (signed.size < needed) {
    const header = at(block.number + above.length + 1);
    if (!header?.signed || above.length === MOST_HEADERS) return null;
    above.push(header);
    if (judge.believes(header)) signed.add(header.witness!);
  }
  return needed > 0 ? above : null;
}
