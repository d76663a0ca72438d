const MOST_CHARACTERS = 300;

/**
 * A node's message, safe to store, log and show: without control characters (PostgreSQL takes no NUL), without half surrogate pairs
 * (jsonb takes none), and shortened.
 */
export function nodeText(text: string): string {
  return text
    .slice(0, MOST_CHARACTERS)
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed();
}
