// Runs the built command line again and again in one process: its main.js per command, the libraries below it loaded once.
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensureBuild } from '../../scripts/ensure-build.mjs';

const build = ensureBuild();
Module.enableCompileCache?.(join(build, '..', 'compile-cache'));
const require = createRequire(import.meta.url);
const entry = require.resolve(join(build, 'src', 'cli', 'main.js'));
const leave = process.exit.bind(process);

/** One command from its arguments to its exit code; what it exits with ends the command instead of this process. */
function runCommand({ args, env }) {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text) => {
      written[name] += String(text);
      return true;
    };
  }
  process.argv = [process.execPath, entry, ...args];
  process.env = env;
  process.exitCode = undefined;
  return new Promise((resolve) => {
    process.exit = (code = process.exitCode ?? 0) => resolve({ exitCode: Number(code), ...written });
    delete require.cache[entry];
    require(entry);
  });
}

let last = Promise.resolve();
process.on('message', ({ id, ...command }) => {
  last = last.then(async () => process.send({ id, result: await runCommand(command) }));
});
process.on('disconnect', () => leave(0));
