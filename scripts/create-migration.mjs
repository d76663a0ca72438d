// npm run migration:create -- <name-of-the-change>: writes what the entities have and the migrations lack.
import { readdirSync, writeFileSync } from 'node:fs';
import { findDrift } from './find-schema-drift.mjs';
import { useNewestNode } from './newest-node.mjs';

useNewestNode();

const [name] = process.argv.slice(2);
if (!/^[a-z]+(-[a-z]+)*$/.test(name ?? '')) {
  process.stderr.write('Name the change in kebab-case: npm run migration:create -- add-webhooks\n');
  process.exit(2);
}
const drift = await findDrift();
if (drift.length === 0) {
  process.stderr.write('The migrations already describe the entities.\n');
  process.exit(1);
}
const folder = new URL('../src/database/migrations/', import.meta.url);
const numbers = readdirSync(folder).map((file) => Number(/^\d{4}(?=-)/.exec(file)?.[0] ?? 0));
const number = String(Math.max(...numbers) + 1).padStart(4, '0');
const className = name.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());
const file = `${number}-${name}.migration.ts`;
writeFileSync(
  new URL(file, folder),
  `import { Migration } from '@mikro-orm/migrations';

const CHANGE = \`
${drift.map((line) => `  ${line.replaceAll('"', '')}`).join('\n')}
\`;

export class ${className} extends Migration {
  override name = '${number}-${name}';

  override up(): void {
    this.addSql(CHANGE);
  }
}
`,
);
process.stdout.write(`Written: src/database/migrations/${file}. Add it to migrations.ts.\n`);
