/** Something that keeps the service from working as it should, for its operator. */
export interface Diagnosis {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
}
