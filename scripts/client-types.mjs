// npm run clients:types: writes the TypeScript client's types from openapi.json; with --check says whether they are up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';

const DOCUMENT = new URL('../openapi.json', import.meta.url);
const FILE = new URL('../clients/typescript/src/schema.ts', import.meta.url);

const text = `// Made from openapi.json by npm run clients:types.\n${astToString(await openapiTypes(readBodies()))}`;
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
  process.stdout.write('clients/typescript/src/schema.ts is out of date: npm run clients:types\n');
  process.exit(1);
}

/** The bodies and the filter of orders: the client sees to paths, statuses and headers itself, and its callers never meet them. */
function readBodies() {
  const { openapi, info, paths, components } = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const filters = paths['/api/chain/delegations'].get.parameters.filter((parameter) => parameter.in === 'query');
  const properties = Object.fromEntries(
    filters.map(({ name, description, schema }) => [name, { ...schema, description }]),
  );
  return { openapi, info, paths: {}, components: { schemas: { ...components.schemas, OrderFilter: { properties } } } };
}
