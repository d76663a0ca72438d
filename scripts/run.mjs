// node scripts/run.mjs src/main.js [arguments]: builds what is out of date, then runs the entry in this same process, so that signals arrive.
import Module from 'node:module';
import { join } from 'node:path';
import { ensureBuild } from './ensure-build.mjs';
import { useNewestNode } from './newest-node.mjs';

useNewestNode();
// A killed npm cannot pass its signal on: without this, `npm start` would leave a service behind that holds its port.
if (process.env.npm_lifecycle_event) {
  const npm = process.ppid;
  setInterval(() => process.ppid === npm || process.kill(process.pid, 'SIGTERM'), 500).unref();
}
const [entry, ...args] = process.argv.slice(2);
const build = ensureBuild();
// A fifth of what a start costs is compiling the libraries; where nothing can be kept, it just compiles.
Module.enableCompileCache?.(join(build, '..', 'compile-cache'));
process.argv = [process.execPath, join(build, entry), ...args];
Module.runMain();
