export interface Sample {
  readonly minutes: number;
  readonly ordered: number;
  readonly instances: readonly InstanceSample[];
  /** Bytes of each table. */
  readonly tables: Readonly<Record<string, number>>;
}

export interface InstanceSample {
  readonly heapMb: number;
  readonly rssMb: number;
  readonly descriptors: number;
  readonly sessions: number;
  readonly nodeCalls: number;
}

export function judge(samples: readonly Sample[]): { what: string; before: number; after: number; isFlat: boolean }[];
