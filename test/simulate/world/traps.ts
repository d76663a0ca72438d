import type { SimProcess } from '../kernel/sim-process';
import type { Action, CommitKind, Trap } from './plan';

export type Sprung = 'kill' | 'cut' | 'silence' | 'half-open' | { readonly refusal: string };
export type TrapAction = Extract<Action, { readonly trap: Trap }>;

/** By a statement of the transaction. */
const KIND_OF: readonly (readonly [RegExp, CommitKind])[] = [
  [/^delegation_(insert|signed_after)/, 'order'],
  [/^delegation_answer/, 'answer'],
  [/^delegation_(settled|taken_back|change_state)/, 'settle'],
  [/^reclaim_begin/, 'reclaim'],
];

interface SetTrap {
  readonly process: SimProcess;
  readonly what: TrapAction['kind'];
  /** When it stops. */
  readonly forMs: number;
  /** When it is refused. */
  readonly code: string;
  readonly trap: Trap;
  left: number;
}

/** Where instances are to end, lines to be cut or to go silent, and statements to be refused. Each happens once. */
export class Traps {
  private set_: SetTrap[] = [];

  constructor(
    private readonly end: (process: SimProcess) => void,
    private readonly stop: (process: SimProcess, forMs: number) => void,
    private readonly sprung: (trap: SetTrap) => void,
  ) {}

  set(process: SimProcess, action: TrapAction): void {
    const { kind: what, trap } = action;
    const forMs = what === 'stop' ? action.forMs : 0;
    const code = what === 'refusal' ? action.code : '';
    this.set_.push({ process, what, trap, forMs, code, left: trap.skip });
  }

  clear(): void {
    this.set_ = [];
  }

  /** `ran`: the statements of the transaction under way. */
  statement(process: SimProcess, name: string, ran: readonly string[], point: 'before' | 'after'): Sprung | null {
    const kinds = new Set<Trap['at']>(['statement']);
    if (name === 'commit') {
      kinds.add('commit');
      for (const [pattern, kind] of KIND_OF) if (ran.some((one) => pattern.test(one))) kinds.add(kind);
    }
    const hit = this.take(({ trap, process: of }) => of === process && trap.point === point && kinds.has(trap.at));
    if (!hit || hit.what === 'stop') return null;
    return hit.what === 'refusal' ? { refusal: hit.code } : hit.what;
  }

  /** True when the process has ended by it. */
  call(process: SimProcess, at: 'broadcast' | 'call' | 'webhook', point: 'before' | 'after'): boolean {
    const hit = this.take(
      ({ trap, what, process: of }) =>
        (what === 'kill' || what === 'stop') && of === process && trap.point === point && trap.at === at,
    );
    if (hit?.what === 'kill') this.end(process);
    return hit?.what === 'kill';
  }

  private take(fits: (trap: SetTrap) => boolean): SetTrap | null {
    let hit: SetTrap | null = null;
    for (const trap of this.set_.filter(fits)) if (trap.left-- <= 0) hit ??= trap;
    if (!hit) return null;
    this.set_ = this.set_.filter((trap) => trap !== hit);
    this.sprung(hit);
    if (hit.what === 'stop') this.stop(hit.process, hit.forMs);
    return hit;
  }
}
