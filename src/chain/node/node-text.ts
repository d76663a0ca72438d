const MOST_CHARACTERS = 300;

/**
 * What a node said in words, fit to be stored, logged and shown: no control characters (PostgreSQL takes no NUL), whole
 * characters alone (jsonb takes no half of a pair), and not more than a sentence or two.
 */
export function nodeText(text: string): string {
  return text
    .slice(0, MOST_CHARACTERS)
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed();
}
