/** What an API token may allow. */
export const PERMISSIONS = ['delegate', 'balance'] as const;
export type Permission = (typeof PERMISSIONS)[number];
