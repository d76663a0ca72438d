import { findDrift } from './find-schema-drift.mjs';

const drift = await findDrift();
if (drift.length > 0) {
  process.stdout.write(`A migration is missing (npm run migration:create -- <name>):\n${drift.join('\n')}\n`);
}
process.exit(drift.length === 0 ? 0 : 1);
