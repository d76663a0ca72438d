import { findDrift } from './find-schema-drift.mjs';

const drift = await findDrift();
if (drift.length > 0) {
  process.stdout.write(`The entities are not what 0001-schema.sql makes; it lacks:\n${drift.join('\n')}\n`);
}
process.exit(drift.length === 0 ? 0 : 1);
