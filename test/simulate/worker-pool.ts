import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Done, Job } from './worker';
import type { Plan } from './world/plan';
import type { History } from './world/world';

/** A process that carries out one seed after the other. */
export class Worker {
  private readonly child: ChildProcess;
  private jobs = 0;

  constructor(
    private readonly databaseUrl: string,
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
    });
    this.child.on('error', (error) => console.error(error));
  }

  run(seed: number, plan?: Plan): Promise<History> {
    const job: Job = { id: this.jobs++, databaseUrl: this.databaseUrl, seed, ...(plan && { plan }) };
    return new Promise((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`the worker ended with ${code}`));
      this.child.once('exit', ended);
      this.child.once('message', ({ history, failure }: Done) => {
        this.child.off('exit', ended);
        if (history) resolve(history);
        else reject(new Error(`seed ${seed}: ${failure}`));
      });
      this.child.send(job);
    });
  }

  /** Before the server goes, which would cut its connections. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}
