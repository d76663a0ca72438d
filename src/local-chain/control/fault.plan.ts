/** How the next calls of a route are to fail; see docs/local-chain.md for what each does. */
export const FAULT_KINDS = [
  'none',
  'accept-then-drop',
  'p2p-failed',
  'pool-then-other-error',
  'timeout',
  'pool-then-timeout',
  '500',
  'pool-then-500',
  '503',
  'pool-then-503',
  '429',
  '403',
  'html',
  'pool-then-html',
  'cut',
  'pool-then-cut',
  'reset',
  'pool-then-reset',
  'dup',
  'busy',
  'lag',
  'rate-limited',
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

export interface Fault {
  route: string;
  kind: FaultKind;
  count: number;
  /** With `lag`: how many blocks further back. */
  blocks: number;
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
    const fault = this.faults.find(
      ({ route }) => route === path || (route.endsWith('/*') && path.startsWith(route.slice(0, -1))),
    );
    if (fault && --fault.count <= 0) this.faults.splice(this.faults.indexOf(fault), 1);
    return fault;
  }
}
