// npm run simulate -- --seeds N [--seed S] [--planted]: the simulator (docs/simulator.md) on the sources as they stand.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useNewestNode } from './newest-node.mjs';
import { commitOf } from './safety/commit.mjs';

useNewestNode();
// As the run begins: what it has seen is of this.
process.env.SIMULATE_COMMIT = commitOf(dirname(dirname(fileURLToPath(import.meta.url))));
const require = createRequire(import.meta.url);
require('../test/simulate/source-loader.cjs');
require('../test/simulate/main.ts');
