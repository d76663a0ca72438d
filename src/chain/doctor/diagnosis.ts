/** Something that keeps the service from working as it should, in words for the person who runs it. */
export interface Diagnosis {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
}
