import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { BUILD, run, scratchDirectory } from './servers.mjs';

/** From the start of the built service, with an embedded database and local chain that exist already, to its readiness. */
export async function measureStart() {
  const directory = scratchDirectory();
  await startOnce(directory);
  const times = [await startOnce(directory), await startOnce(directory), await startOnce(directory)];
  return Math.round(times.sort((one, other) => one - other)[1]);
}

async function startOnce(directory) {
  const startedAt = performance.now();
  const service = run([join(BUILD, 'src/main.js')], { PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'warn' });
  const [url] = await new Promise((resolve, reject) => {
    let output = '';
    service.process.stdout.on('data', (data) => {
      output += data;
      const found = /(?<=API\s+)http:\/\/127\.0\.0\.1:\d+/.exec(output);
      if (found) resolve(found);
    });
    void service.ended.then(() => reject(new Error(`the service ended:\n${output}`)));
  });
  while (!(await isReady(url))) await sleep(10);
  const tookMs = performance.now() - startedAt;
  service.stop();
  await service.ended;
  return tookMs;
}

async function isReady(url) {
  return fetch(`${url}/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  );
}
