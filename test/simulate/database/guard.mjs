// Is told of directories, one a line, and ends the servers in them when the process that told it has ended, in whatever way.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
const directories = [];
for await (const line of createInterface({ input: process.stdin })) directories.push(line);
const require = createRequire(import.meta.url);
require('../source-loader.cjs');
const { endServer } = require('./left-servers.ts');
await Promise.all(directories.map(endServer));
