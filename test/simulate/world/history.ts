/** What one seed became. */
export interface History {
  readonly violations: readonly string[];
  readonly digest: string;
  readonly lines: readonly string[];
  readonly events: number;
  readonly virtualMs: number;
  readonly orders: number;
  /** What it has met and come to, by name. */
  readonly counts: Readonly<Record<string, number>>;
}
