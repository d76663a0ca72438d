/** How the next calls of a route are to fail; see README.md for what each does. */
export const FAULT_KINDS = [
  'none',
  'accept-then-drop',
  'p2p-failed',
  'lag',
  'rate-limited',
  'no-constant-calls',
  '500',
  '503',
  '429',
  '403',
  'html',
  'html-403',
  'html-429',
  'timeout',
  'reset',
  'cut',
  'unsigned-header',
  'foreign-header',
  'added-transactions',
  'missing-transactions',
  'unknown-field',
  'missing-number',
  'dup',
  'busy',
  'SIGERROR',
  'CONTRACT_VALIDATE_ERROR',
  'CONTRACT_EXE_ERROR',
  'BANDWITH_ERROR',
  'DUP_TRANSACTION_ERROR',
  'TAPOS_ERROR',
  'TOO_BIG_TRANSACTION_ERROR',
  'TRANSACTION_EXPIRATION_ERROR',
  'SERVER_BUSY',
  'NO_CONNECTION',
  'NOT_ENOUGH_EFFECTIVE_CONNECTION',
  'BLOCK_UNSOLIDIFIED',
  'OTHER_ERROR',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** In front of a kind: the call is executed first, and then answered as the kind has it. */
export const DONE_FIRST = 'pool-then-';
const NEVER_AFTERWARDS: readonly string[] = [
  'none',
  'accept-then-drop',
  'lag',
  'unsigned-header',
  'foreign-header',
  'added-transactions',
  'missing-transactions',
  'unknown-field',
  'missing-number',
];

export interface Fault {
  route: string;
  kind: FaultKind;
  doneFirst: boolean;
  count: number;
  /** With `lag`: how many blocks further back. */
  blocks: number;
}

/** A kind as it was asked for; undefined when there is none such. */
export function parseKind(text: string): Pick<Fault, 'kind' | 'doneFirst'> | undefined {
  const doneFirst = text.startsWith(DONE_FIRST);
  const name = doneFirst ? text.slice(DONE_FIRST.length) : text;
  const kind = FAULT_KINDS.find((known) => known === name);
  if (!kind || (doneFirst && NEVER_AFTERWARDS.includes(kind))) return undefined;
  return { kind, doneFirst: doneFirst || kind === 'p2p-failed' };
}

export class FaultPlan {
  private faults: Fault[] = [];

  add(fault: Fault): void {
    this.faults.push(fault);
  }
  clear(route: string): void {
    this.faults = this.faults.filter((fault) => fault.route !== route);
  }
  list(): readonly Fault[] {
    return this.faults;
  }

  /** The fault for this call, counted down; the first that was asked for comes first. */
  take(path: string): Fault | undefined {
    const fault = this.faults.find(({ route }) => route === path);
    if (fault && --fault.count <= 0) this.faults.splice(this.faults.indexOf(fault), 1);
    return fault;
  }
}
