// --require this: the service ends at the crash point that the file CRASH_TRIGGER names when SIGUSR2 comes, and until then at none.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const { CRASH_TRIGGER: file, CRASH_POINTS_IN: build } = process.env;
  const { CrashPoints } = require(path.join(build, 'src', 'common', 'crash-points.js'));
  let point;
  CrashPoints.prototype.isSet = (points) => [points].flat().some((one) => one !== undefined && one === point);
  process.on('SIGUSR2', () => {
    point = String(readFileSync(file));
    process.stdout.write(`ends at ${point}\n`);
  });
}
