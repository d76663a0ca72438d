export interface Sample {
  readonly minutes: number;
  readonly ordered: number;
  readonly heapMb: number;
  readonly rssMb: number;
  readonly descriptors: number;
  readonly connections: number;
  readonly nodeCalls: number;
  /** Bytes of each table. */
  readonly tables: Readonly<Record<string, number>>;
}

export function judge(samples: readonly Sample[]): { what: string; before: number; after: number; isFlat: boolean }[];
