import type { SimDatabase } from '../database/sim-database';
import type { Kernel } from '../kernel/kernel';
import type { SimProcess } from '../kernel/sim-process';
import { Instance } from '../service/instance';
import { calmFromMs, type Plan } from './plan';
import { AFTERWARDS_MS } from './plan-orders';
import type { Tally } from './tally';

const RESTART_MS = 4_000;
/** The last orders have been answered by then, or are asked for again. */
export const FEWER_MS = AFTERWARDS_MS + 20_000;

/** The instances of a history: started, killed and started again, stopped and continued, and all but one ended for good. */
export class Instances {
  private readonly instances: (Instance | null)[];
  private readonly keepsAll: boolean;
  /** When each was started. */
  readonly startsMs: number[] = [];

  constructor(
    private readonly kernel: Kernel,
    private readonly plan: Plan,
    private readonly database: SimDatabase,
    private readonly databaseUrl: string,
    private readonly nodeUrls: readonly string[],
    private readonly tally: Tally,
    private readonly violated: (what: string) => void,
  ) {
    this.instances = plan.clocksOffMs.map(() => null);
    // Blocks that cannot be read until long after that are something to compete for.
    this.keepsAll = calmFromMs(plan) > FEWER_MS;
  }

  at(number: number): Instance | null {
    return this.instances[number % this.instances.length] ?? null;
  }

  startAll(): void {
    for (const at of this.instances.keys()) this.start(at);
  }

  private start(at: number): void {
    const { settings, clocksOffMs } = this.plan;
    const number = this.startsMs.push(this.kernel.nowMs) - 1;
    const instance = new Instance(
      this.kernel,
      `i${at}.${number}`,
      clocksOffMs[at]!,
      (line) => this.kernel.log(line),
      this.violated,
    );
    instance.failed = async () => {
      await this.database.bury(instance.process);
      this.startLater(at);
    };
    this.instances[at] = instance;
    const urls = this.nodeUrls;
    // With several addresses, each instance begins with another one.
    const turned = [...urls.slice(at % urls.length), ...urls.slice(0, at % urls.length)];
    instance.start(
      {
        ...settings,
        LOG_LEVEL: 'silent',
        DATABASE_URL: this.databaseUrl,
        TRON_FULL_NODE_URLS: turned.join(','),
        WEBHOOK_ALLOW_PRIVATE: 'on',
        ...(this.plan.signer && { SIGNER_URL: 'unix:/run/energy-signer/socket' }),
      },
      this.databaseUrl,
    );
  }

  private startLater(at: number): void {
    this.kernel.after(this.kernel.schedule.between(200, RESTART_MS), null, () => {
      if (this.isNeeded(at)) this.start(at);
    });
  }

  private isNeeded(at: number): boolean {
    return this.kernel.elapsedMs < FEWER_MS || this.keepsAll || at === this.plan.seed % this.instances.length;
  }

  /** As SIGKILL does; another one is started in its place a little later. */
  end(process: SimProcess): void {
    if (process.dead) return;
    process.dead = true;
    this.kernel.log(`${process.name} is killed`);
    this.startLater(this.instances.findIndex((one) => one?.process === process));
  }

  /** As SIGSTOP does, and SIGCONT later. */
  stop(process: SimProcess, forMs: number): void {
    this.kernel.log(`${process.name} is stopped for ${forMs} ms`);
    process.stoppedUntilMs = this.kernel.nowMs + forMs;
  }

  /** The others end for good: what they had begun is for the one that is left. */
  async leaveOne(): Promise<void> {
    for (const [at, instance] of this.instances.entries()) {
      if (this.isNeeded(at) || !instance || instance.process.dead) continue;
      this.tally.add('ended for good');
      this.end(instance.process);
      await this.database.bury(instance.process);
    }
  }
}
