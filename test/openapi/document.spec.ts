import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES } from '../../src/common/errors/error-codes';
import { WEBHOOK_EVENTS } from '../../src/webhooks/webhook-events';
import { DOCUMENT as document, DOCUMENT_TEXT as FILE, violationsOf } from '../support/api-document';
import { ServiceChild } from '../support/service-child';
import { createTestApp, type TestApp } from '../support/test-app';
import { createTestDatabase } from '../support/test-database';

const operations = Object.values(document.paths).flatMap((item) => Object.values(item).map((operation) => operation!));
const answers = [
  ...operations.flatMap(({ responses }) => Object.values(responses)),
  ...Object.values(document.components.responses),
];

describe('GET /openapi.json', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service.close());

  it("is the repository's file, byte for byte, for everybody", async () => {
    const response = await fetch(`${service.url}/openapi.json`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await response.text()).toBe(FILE);
  });

  it("has the package's version, and the package names the Node that the service needs", () => {
    const { version, engines } = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as {
      version: string;
      engines: { node: string };
    };
    expect((document as unknown as { info: { version: string } }).info.version).toBe(version);
    expect(engines.node).toBe('>=24.7');
  });

  it('is drawn by a library of which no part reports its installation', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { name?: string; hasInstallScript?: boolean }>;
    };
    const reporting = Object.entries(packages).filter(([path]) => path.endsWith('/@scarf/scarf'));
    expect(reporting.map(([, { name, hasInstallScript }]) => [name, hasInstallScript])).toEqual([['ms', undefined]]);
  });

  it('is served by the built service too', async () => {
    const database = await createTestDatabase();
    const child = new ServiceChild({ DATABASE_URL: database.url, TRON_FULL_NODE_URLS: 'http://127.0.0.1:1' });
    try {
      await child.ready();
      expect(await (await fetch(`${child.url}/openapi.json`)).text()).toBe(FILE);
    } finally {
      await child.stop('SIGKILL');
      await database.drop();
    }
  });
});

describe('what generators stumble over', () => {
  it('says of each route whether it takes a token', () => {
    expect(operations.filter(({ security }) => security === undefined)).toEqual([]);
    const open = operations.filter(({ security }) => security!.length === 0).map(({ operationId }) => operationId);
    expect(open).toEqual(['getLiveness', 'getReadiness']);
  });

  it('is OpenAPI 3.1', () => expect(document.openapi).toMatch(/^3\.1\.\d+$/));

  it('every body has a schema of its own name, and all failures share one', () => {
    const named = answers.flatMap(({ content }) => Object.values(content ?? {})).map(({ schema }) => schema.$ref);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !name?.startsWith('#/components/schemas/'))).toEqual([]);
    const failed = operations
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([status]) => Number(status) >= 400 && status !== '503')
      .map(([, { content }]) => content!['application/json'].schema.$ref);
    expect(new Set(failed)).toEqual(new Set(['#/components/schemas/Error']));
  });

  it('numbers say how many bits they need', () => {
    const numbers = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { type, format }]) => [type].flat().includes('number') && format !== 'double')
        .map(([property]) => `${name}.${property}`),
    );
    expect(numbers).toEqual([]);
  });

  it('fields are required unless their absence means something', () => {
    const optional = Object.entries(document.components.schemas).flatMap(([name, { properties = {}, required = [] }]) =>
      Object.keys(properties)
        .filter((property) => !required.includes(property))
        .map((property) => `${name}.${property}`),
    );
    expect(new Set(optional)).toEqual(
      new Set([
        'DelegateRequest.time',
        'DelegateRequest.activate_address',
        'DelegateRequest.max_cost',
        'DelegateResult.cost',
        'Error.details',
        'Error.cost',
        'Quote.transfer',
        'Readiness.reason',
        'ReadinessChecks.signer',
        'ReadinessChecks.deposits',
        // A header has the one kind of signature or the other.
        'ReceiptHeader.pq_auth_sig',
        'ReceiptHeader.signature',
      ]),
    );
  });

  it.each(['time', 'activate_address', 'max_cost'])(
    'an order may have null as %s, as the service takes it',
    (field) => {
      const schema = { $ref: '#/components/schemas/DelegateRequest' };
      const body = { receiver_address: 'TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb', amount: 1 };
      expect(violationsOf(schema, { ...body, [field]: null })).toEqual([]);
      expect(violationsOf(schema, { ...body, [field]: 'x' })).not.toEqual([]);
    },
  );

  it('no enum has a default or a boolean in it', () => {
    const enums = Object.values(document.components.schemas)
      .flatMap((schema) => [schema, ...Object.values(schema.properties ?? {})])
      .filter((schema) => schema.enum !== undefined);
    expect(enums.length).toBeGreaterThan(3);
    expect(enums.filter((found) => found.default !== undefined || found.enum!.includes(true))).toEqual([]);
  });
});

it('every event of webhooks has its body', () => {
  const bodies = Object.entries(document.webhooks).map(([event, { post }]) => {
    const { $ref } = post.requestBody.content['application/json'].schema;
    const schema = document.components.schemas[$ref!.split('/').at(-1)!]!;
    const type = schema.properties!['type']!;
    const named = (type as { allOf?: readonly [{ $ref: string }] }).allOf?.[0].$ref.split('/').at(-1);
    return [event, (named === undefined ? type : document.components.schemas[named])!.enum!.includes(event)] as const;
  });
  expect(Object.fromEntries(bodies)).toEqual(Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, true])));
});

it('every error code is the answer of some route, or of any path', () => {
  const codes = answers.flatMap(({ headers }) => headers?.['X-Error-Code']?.schema?.enum ?? []);
  expect(new Set(codes)).toEqual(new Set(ERROR_CODES));
});
