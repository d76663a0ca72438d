// Started by worker-pool.ts, which sends one seed after the other.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { useEdges, plant } = require('./source-loader.cjs');
useEdges();
require('./kernel/virtual-world.ts').installVirtualWorld();
const [bug] = process.argv.slice(2);
if (bug) plant(require('./planted/bugs.ts').patchesOf(bug));
require('./worker.ts');
