import { spawn } from 'node:child_process';
import { killTree } from './kill-tree.mjs';

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
    const end = () => killTree(child.pid);
    const limit = setTimeout(end, limitMs);
    // An interrupted bar has no result, and is begun again by the next run.
    const interrupt = () => {
      end();
      process.exit(130);
    };
    for (const name of ['SIGINT', 'SIGTERM']) process.once(name, interrupt);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      for (const name of ['SIGINT', 'SIGTERM']) process.off(name, interrupt);
      resolve({ code, timedOut: signal === 'SIGKILL', said });
    });
  });
}
