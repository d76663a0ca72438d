/** Which URL a finding is about. */
export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_MIGRATION_URL';

/** Something about the database that keeps the service from working, in words for the person who runs it. */
export interface DatabaseDiagnosis {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
}
