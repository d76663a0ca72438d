/** What people read is in each of these, its texts in `src/languages`. The log and the command line are in English. */
export const LANGUAGE_CODES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGE_CODES)[number];
