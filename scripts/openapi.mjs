// npm run openapi: writes openapi.json from the routes; with --check says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from './scratch-database.mjs';

const FILE = new URL('../openapi.json', import.meta.url);

const text = `${JSON.stringify(await load('src/openapi/describe-routes').describeRoutes(), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  process.stdout.write('openapi.json is out of date: npm run openapi\n');
  process.exit(1);
}
