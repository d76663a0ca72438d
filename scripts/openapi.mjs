// npm run openapi: writes openapi.json from the routes; with --check says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from './scratch-database.mjs';

const FILE = new URL('../openapi.json', import.meta.url);

const infrastructure = {
  configuration: load('config/load-configuration').loadConfiguration({ LOG_LEVEL: 'silent' }),
  databaseUrl: 'postgresql://nobody@127.0.0.1:1/none',
  nodes: { fullNodeUrls: [], solidityNodeUrls: [] },
};
const service = load('src/app.module').AppModule.with(infrastructure, false);
const text = `${JSON.stringify(await load('src/openapi/describe-routes').describeRoutes(service), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  process.stdout.write('openapi.json is out of date: npm run openapi\n');
  process.exit(1);
}
