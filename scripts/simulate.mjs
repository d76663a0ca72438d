// npm run simulate -- --seeds N [--seed S] [--planted]: the simulator (docs/simulator.md) on the sources as they stand.
import { createRequire } from 'node:module';
import { useNewestNode } from './newest-node.mjs';

useNewestNode();
const require = createRequire(import.meta.url);
require('../test/simulate/source-loader.cjs');
require('../test/simulate/main.ts');
