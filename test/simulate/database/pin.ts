import { spawnSync } from 'node:child_process';

/**
 * A worker and its server take turns: on one processor, none of them has to wake another processor up. Where the system cannot do that
 * they stay wherever it puts them.
 */
export function pin(pid: number, cpu: number | null): void {
  if (cpu === null || process.platform !== 'linux') return;
  spawnSync('taskset', ['-a', '-c', '-p', String(cpu), String(pid)], { stdio: 'ignore' });
}
