import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Runs a program to its end; throws with all that it printed when that is not 0. */
export async function run(program, args, { cwd, env } = {}) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [text(child.stdout), text(child.stderr)];
  const [code] = await once(child, 'close');
  const [stdout, stderr] = await Promise.all(printed);
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')}: ${code}\n${stdout}${stderr}`);
  return { stdout };
}

/** `npm start` on a database and chain of its own, with the environment of a caller of it. */
export async function startService(root) {
  const data = mkdtempSync(join(tmpdir(), 'try-generators-data-'));
  const env = { ...process.env, PORT: '0', DATA_DIR: data, LOCAL_CHAIN_BLOCK: '1s' };
  const service = spawn(process.execPath, [join(root, 'scripts', 'run.mjs'), 'src/main.js'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    service.kill('SIGTERM');
    if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
    rmSync(data, { recursive: true, force: true });
  };
  let printed = '';
  const caller = new Promise((resolve, reject) => {
    service.stdout.on('data', (chunk) => {
      printed += chunk;
      const line = /curl (http:\S+)\/api\S+ -H 'Authorization: Bearer (\S+)' .*"receiver_address":"(\w+)"/.exec(
        printed,
      );
      if (line) resolve({ SERVICE_URL: line[1], API_TOKEN: line[2], RECEIVER: line[3] });
    });
    service.once('exit', () => reject(new Error(`The service did not start:\n${printed}`)));
  });
  return { env: await caller, stop };
}
