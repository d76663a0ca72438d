import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { Shutdown } from './shutdown';

/**
 * Injection token of a boolean: true in the service, false on the command line. Only where it is true do the block follower, the sweeper
 * and other work without a request run.
 */
export const BACKGROUND_WORK = Symbol('BACKGROUND_WORK');

/** Runs what a schedule asks for. Not where background work is off, and nothing new once the service ends. */
@Injectable()
export class BackgroundJob implements BeforeApplicationShutdown {
  private readonly logger = new Logger(BackgroundJob.name);
  private readonly inHand = new Set<Promise<void>>();

  constructor(
    @Inject(BACKGROUND_WORK) private readonly enabled: boolean,
    private readonly shutdown: Shutdown,
  ) {}

  /** Never throws: its schedule runs a failed one again. */
  async run(name: string, work: () => Promise<unknown>): Promise<void> {
    if (this.enabled) await this.runAsked(name, work);
  }

  /** As `run`, for what something else asked for that runs without background work too, as `reclaim:run` does. */
  async runAsked(name: string, work: () => Promise<unknown>): Promise<void> {
    if (this.shutdown.signal.aborted) return;
    const job = this.runLogged(name, work);
    this.inHand.add(job);
    await job.finally(() => this.inHand.delete(job));
  }

  /** Before any module closes what the work in hand still needs: the database, the node, the block follower. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.inHand);
  }

  private async runLogged(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Work that was only interrupted has not failed.
      if (error === this.shutdown.signal.reason) return;
      this.logger.warn({ err: error, job: name }, `${name} failed; it runs again`);
    }
  }
}
