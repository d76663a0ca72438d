import type { SimDatabase } from '../database/sim-database';
import type { Kernel } from '../kernel/kernel';
import type { Action } from './plan';
import type { Tally } from './tally';

const KINDS = ['database-away', 'database-full', 'database-silent', 'database-clock'] as const;
export type DatabaseAction = Extract<Action, { readonly kind: (typeof KINDS)[number] }>;
const WELL = { isAway: false, isFull: false, isSilent: false, clockOffMs: 0 };

export function isOfDatabase(action: Action): action is DatabaseAction {
  return (KINDS as readonly string[]).includes(action.kind);
}

/** A claim, and what an instance may be stopped for within it. */
const LONGEST_CLAIM_MS = 90_000;

/** What goes wrong with the database as a whole. */
export class DatabaseTrouble {
  private readonly settings: { readonly atMs: number; readonly offMs: number }[] = [];

  constructor(
    private readonly kernel: Kernel,
    private readonly database: SimDatabase,
    private readonly tally: Tally,
  ) {}

  async carryOut(action: DatabaseAction): Promise<void> {
    this.tally.add(action.kind);
    switch (action.kind) {
      case 'database-away':
        this.change({ isAway: true }, action.forMs);
        return this.database.cutAll();
      case 'database-full':
        return this.change({ isFull: true }, action.forMs);
      case 'database-silent':
        this.change({ isSilent: true }, action.forMs);
        return this.database.silenceAll();
      case 'database-clock':
        return this.change({ clockOffMs: action.offMs }, action.forMs);
    }
  }

  calm(): void {
    this.set(WELL);
  }

  /** What was answered then (by the database's clock) may have been answered under a claim that the clock had ended early, while its owner counts on it. */
  mayHaveEndedAClaim(answeredMs: number): boolean {
    const is = this.settings.some(({ atMs, offMs }, at) => {
      const untilMs = this.settings[at + 1]?.atMs ?? this.kernel.nowMs;
      const isRecent = this.kernel.nowMs - atMs < LONGEST_CLAIM_MS;
      return isRecent && answeredMs >= atMs + offMs && answeredMs <= untilMs + offMs;
    });
    if (is) this.tally.add('sent behind a failure, its claim ended by the clock');
    return is;
  }

  /** How far what was written lately may be from the true time. */
  get offMs(): number {
    const isRecent = ({ atMs }: { readonly atMs: number }) => this.kernel.nowMs - atMs < LONGEST_CLAIM_MS;
    return Math.max(0, ...this.settings.filter(isRecent).map(({ offMs }) => Math.abs(offMs)));
  }

  /** When its clock may have shown this time. */
  timesOf(shownMs: number): number[] {
    const settings = [{ atMs: -Infinity, offMs: 0 }, ...this.settings];
    return settings.flatMap(({ atMs, offMs }, at) => {
      const ms = shownMs - offMs;
      return ms >= atMs && ms <= (settings[at + 1]?.atMs ?? Infinity) ? [ms] : [];
    });
  }

  private change(to: Partial<typeof WELL>, forMs: number): void {
    this.set(to);
    const back = Object.fromEntries(Object.keys(to).map((name) => [name, WELL[name as keyof typeof WELL]]));
    this.kernel.after(forMs, null, () => this.set(back));
  }

  private set(to: Partial<typeof WELL>): void {
    const { clockOffMs } = this.database;
    Object.assign(this.database, to);
    if (this.database.clockOffMs !== clockOffMs)
      this.settings.push({ atMs: this.kernel.nowMs, offMs: this.database.clockOffMs });
  }
}
