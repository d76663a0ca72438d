import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.mjs';

/** A bar with commands of its own, all of which have to succeed: with what the last of them leaves. */
export async function runCommands(root, place, { commands, leaves }, limitMs) {
  const left = join(place, leaves);
  rmSync(left, { force: true });
  const endMs = Date.now() + limitMs;
  const ends = [];
  for (const args of commands) {
    const end = await runProgram(root, args, { limitMs: endMs - Date.now() });
    process.stderr.write(end.said);
    ends.push(end);
    if (end.timedOut) break;
  }
  const timedOut = ends.some((end) => end.timedOut);
  const areDone = ends.every(({ code }) => code === 0);
  if (!existsSync(left)) return { held: false, timedOut, tests: { passed: 0, all: 0 }, counts: [] };
  const { held, text } = JSON.parse(readFileSync(left, 'utf8'));
  return { held: held && areDone, timedOut, text };
}
