import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalAll, treeOf } from './kill-tree.mjs';

/** In which a program ends what it has begun and removes what it has written. */
const GRACE_MS = 10_000;

/** A program of ours in a process group of its own, which ends, with all that it has begun, when its time is over. */
export function runProgram(root, args, { env = {}, limitMs, stdout = 'inherit' }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', stdout, 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (data) => (said += String(data)));
    const closed = new Promise((close) => child.once('close', close));
    const kill = async () => {
      // Looked up before: a process whose parent has ended cannot be found by that parent any more.
      const begun = treeOf(child.pid);
      signalAll([-child.pid], 'SIGTERM');
      await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false })]);
      signalAll([-child.pid, ...begun], 'SIGKILL');
    };
    let ending;
    const end = () => (ending ??= kill());
    let timedOut = false;
    const limit = setTimeout(() => ((timedOut = true), void end()), limitMs);
    // An interrupted bar has no result, and is begun again by the next run.
    const interrupt = () => void end().finally(() => process.exit(130));
    for (const name of ['SIGINT', 'SIGTERM']) process.on(name, interrupt);
    void closed.then(async (code) => {
      await ending;
      clearTimeout(limit);
      for (const name of ['SIGINT', 'SIGTERM']) process.off(name, interrupt);
      resolve({ code, timedOut, said });
    });
  });
}
