import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pin } from './database/pin';
import type { Place } from './database/server';
import type { Done, Job } from './worker';
import type { Plan } from './world/plan';
import type { History } from './world/world';

/** Seconds are usual: a history that does not come on at all ends like this. */
const MOST_MS = 600_000;

/** A process that carries out one seed after the other. */
export class Worker {
  private static readonly running = new Set<ChildProcess>();
  private readonly child: ChildProcess;
  private jobs = 0;

  constructor(
    private readonly place: Place,
    planted: string | null = null,
    keepsLog = false,
  ) {
    const env = {
      ...process.env,
      NODE_ENV: 'test',
      ...(keepsLog && { SIMULATE_LOG: 'on' }),
    };
    this.child = fork(join(__dirname, 'worker.mjs'), planted === null ? [] : [planted], {
      env,
      serialization: 'advanced',
      execArgv: [],
    });
    pin(this.child.pid!, place.cpu);
    Worker.running.add(this.child);
    this.child.once('exit', () => Worker.running.delete(this.child));
    this.child.on('error', (error) => console.error(error));
  }

  /** Before the servers go: a history that has lost its database would tell that as a violation. */
  static endAll(): void {
    for (const child of Worker.running) child.kill('SIGKILL');
  }

  run(seed: number, plan?: Plan): Promise<History> {
    const job: Job = { id: this.jobs++, databaseUrl: this.place.databaseUrl, seed, ...(plan && { plan }) };
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => this.child.kill('SIGKILL'), MOST_MS);
      const ended = (code: number | null) => {
        clearTimeout(limit);
        reject(new Error(`seed ${seed}: the worker ended with ${code}, or took ${MOST_MS / 1000} s`));
      };
      this.child.once('exit', ended);
      this.child.once('message', ({ history, failure }: Done) => {
        clearTimeout(limit);
        this.child.off('exit', ended);
        if (history) resolve(history);
        else reject(new Error(`seed ${seed}: ${failure}`));
      });
      this.child.send(job);
    });
  }

  /** Before the server goes, which would cut its connections. */
  async stop(): Promise<void> {
    if (!Worker.running.has(this.child)) return;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}
