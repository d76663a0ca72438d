/** Where a test may end this process (`CRASH_AT`, refused in production); the three ports say when each one is reached. */
export const CRASH_POINTS = [
  'CP1',
  'CP2',
  'CP3',
  'CP4',
  'CP5',
  'CP6',
  'CP7',
  'CP8',
  'CP9',
  'CP10',
  'CP11',
  'CP12',
  'CP13',
  'CP14',
  'CP15',
  'CP16',
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];
