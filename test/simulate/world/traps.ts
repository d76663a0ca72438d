import type { SimProcess } from '../kernel/sim-process';
import type { CommitKind, Trap } from './plan';

type What = 'kill' | 'cut' | 'stop';

/** By a statement of the transaction. */
const KIND_OF: readonly (readonly [RegExp, CommitKind])[] = [
  [/^delegation_(insert|signed_after)/, 'order'],
  [/^delegation_answer/, 'answer'],
  [/^delegation_(settled|taken_back|change_state)/, 'settle'],
  [/^reclaim_begin/, 'reclaim'],
];

interface SetTrap {
  readonly process: SimProcess;
  readonly what: What;
  /** When it stops. */
  readonly forMs: number;
  readonly trap: Trap;
  left: number;
}

/** Where instances are to end and lines to be cut. Each happens once. */
export class Traps {
  private set_: SetTrap[] = [];

  constructor(
    private readonly end: (process: SimProcess) => void,
    private readonly stop: (process: SimProcess, forMs: number) => void,
    private readonly sprung: (what: What, trap: Trap) => void,
  ) {}

  set(process: SimProcess, what: What, trap: Trap, forMs = 0): void {
    this.set_.push({ process, what, trap, forMs, left: trap.skip });
  }

  clear(): void {
    this.set_ = [];
  }

  /** `ran`: the statements of the transaction under way. */
  statement(
    process: SimProcess,
    name: string,
    ran: readonly string[],
    point: 'before' | 'after',
  ): 'kill' | 'cut' | null {
    const kinds = new Set<Trap['at']>(['statement']);
    if (name === 'commit') {
      kinds.add('commit');
      for (const [pattern, kind] of KIND_OF) if (ran.some((one) => pattern.test(one))) kinds.add(kind);
    }
    const hit = this.take(({ trap, process: of }) => of === process && trap.point === point && kinds.has(trap.at));
    return hit === 'stop' ? null : hit;
  }

  /** True when the process has ended by it. */
  call(process: SimProcess, at: 'broadcast' | 'call' | 'webhook', point: 'before' | 'after'): boolean {
    const hit = this.take(
      ({ trap, what, process: of }) => what !== 'cut' && of === process && trap.point === point && trap.at === at,
    );
    if (hit === 'kill') this.end(process);
    return hit === 'kill';
  }

  private take(fits: (trap: SetTrap) => boolean): What | null {
    let hit: SetTrap | null = null;
    for (const trap of this.set_.filter(fits)) if (trap.left-- <= 0) hit ??= trap;
    if (!hit) return null;
    this.set_ = this.set_.filter((trap) => trap !== hit);
    this.sprung(hit.what, hit.trap);
    if (hit.what === 'stop') this.stop(hit.process, hit.forMs);
    return hit.what;
  }
}
