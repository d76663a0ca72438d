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

/** A process that carries out one seed after the other; another one takes its place when it has ended. */
export class Worker {
  private static readonly running = new Set<ChildProcess>();
  private child: ChildProcess | null = null;
  private jobs = 0;

  constructor(
    private readonly place: Place,
    private readonly planted: string | null = null,
    private readonly keepsLog = false,
  ) {}

  private start(): ChildProcess {
    const env = {
      ...process.env,
      NODE_ENV: 'test',
      ...(this.keepsLog && { SIMULATE_LOG: 'on' }),
    };
    const child = fork(join(__dirname, 'worker.mjs'), this.planted === null ? [] : [this.planted], {
      env,
      serialization: 'advanced',
      execArgv: [],
    });
    pin(child.pid!, this.place.cpu);
    Worker.running.add(child);
    child.once('exit', () => Worker.running.delete(child));
    child.on('error', (error) => console.error(error));
    return child;
  }

  /** Before the servers go: a history that has lost its database would tell that as a violation. */
  static endAll(): void {
    for (const child of Worker.running) child.kill('SIGKILL');
  }

  run(seed: number, plan?: Plan): Promise<History> {
    const job: Job = { id: this.jobs++, databaseUrl: this.place.databaseUrl, seed, ...(plan && { plan }) };
    const child = this.child?.connected ? this.child : this.start();
    this.child = child;
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
      const fail = (why: string) => {
        clearTimeout(limit);
        reject(new Error(`seed ${seed}: ${why}`));
      };
      const ended = (code: number | null) => fail(`the worker ended with ${code}, or took ${MOST_MS / 1000} s`);
      child.once('exit', ended);
      child.once('message', ({ history, failure }: Done) => {
        child.off('exit', ended);
        if (history) resolve(history);
        else fail(failure!);
        clearTimeout(limit);
      });
      child.send(job, (error) => error && fail(error.message));
    });
  }

  /** Before the server goes, which would cut its connections. */
  async stop(): Promise<void> {
    const { child } = this;
    if (child === null || !Worker.running.has(child)) return;
    const ended = once(child, 'exit');
    if (child.connected) child.disconnect();
    await ended;
  }
}
