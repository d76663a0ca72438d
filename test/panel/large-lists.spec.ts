import type { Statement } from '../../src/database/sql';
import { fillTables } from '../support/filled-tables';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { createTestApp, type TestApp } from '../support/test-app';

const ROWS = 1_000_000;
/** Of one page; a scan of any of the tables takes several times as long. */
const LIMIT_MS = 250;
const BIG = /delegations|chain_transactions|ledger_entries|api_tokens|subscriptions|audit_log|users|accounts/;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

describe('lists over a million rows', () => {
  let service: TestApp;
  let client: PanelClient;
  const seen = new Map<string, { statement: Statement; values: unknown[] }>();

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    const operator = await insertPanelUser(service, { operator: true, email: 'olga@example.com' });
    await fillTables(service.databaseUrl, operator.id, ROWS);
    const ask = service.sql.rows.bind(service.sql);
    service.sql.rows = (statement, values) => {
      seen.set(statement.name, { statement, values: values ?? [] });
      return ask(statement, values);
    };
    client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
  }, 300_000);
  afterAll(() => service?.close());

  async function medianMs(path: string): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const startedAt = performance.now();
      expect((await client.get(path)).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
    return times.toSorted((a, b) => a - b)[2]!;
  }

  async function scannedTables({ statement, values }: { statement: Statement; values: unknown[] }): Promise<string[]> {
    const [row] = await service.sql.rows<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      { name: '', text: `explain (format json) ${statement.text}` },
      values,
    );
    const walk = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(walk)];
    return walk(row!['QUERY PLAN'][0]!.Plan)
      .filter((node) => node['Node Type'] === 'Seq Scan' && BIG.test(node['Relation Name'] ?? ''))
      .map((node) => `${statement.name} scans ${node['Relation Name']!}`);
  }

  const txid = (n: number) => n.toString(16).padStart(64, '0');
  const lists = [
    '/panel/tokens',
    '/panel/balance',
    '/panel/subscriptions',
    '/panel/orders',
    '/panel/orders?state=failed',
    '/panel/operator',
    '/panel/operator/users',
    '/panel/operator/users?email=user777',
    '/panel/operator/orders',
    '/panel/operator/orders?state=failed',
    '/panel/operator/orders?state=pending',
    `/panel/operator/orders?txid=${txid(123_456)}`,
    `/panel/operator/orders?receiver=T${'77'.padStart(33, '0')}`,
    '/panel/operator/orders?user=user77%40example.com',
    '/panel/operator/audit-log',
    '/panel/operator/audit-log?subject=user%20777',
  ];

  it.each(lists)('%s is there at once, and so is its next page', async (path) => {
    seen.clear();
    expect(await medianMs(path)).toBeLessThan(LIMIT_MS);
    const next = /href="([^"]+)" rel="next"/.exec((await client.get(path)).text)?.[1]?.replaceAll('&amp;', '&');
    if (next !== undefined) {
      expect(await medianMs(next)).toBeLessThan(LIMIT_MS);
      const [first, second] = [await client.get(path), await client.get(next)];
      const rows = (text: string) => /<tbody>(.*)<\/tbody>/s.exec(text)?.[1];
      expect(rows(second.text)).not.toEqual(rows(first.text));
    }
    const scans = await Promise.all([...seen.values()].map((one) => scannedTables(one)));
    expect(scans.flat()).toEqual([]);
  });

  it.each([
    ['/panel/orders', 'd'],
    ['/panel/tokens', 'a'],
    ['/panel/subscriptions', 'c'],
  ])('%s opens in its middle as fast as at its beginning', async (path, prefix) => {
    const middle = `${prefix.padStart(8, '0')}-0000-7000-8000-${String(ROWS / 10).padStart(12, '0')}`;
    expect(await medianMs(`${path}?after=${middle}`)).toBeLessThan(LIMIT_MS);
  });
});
