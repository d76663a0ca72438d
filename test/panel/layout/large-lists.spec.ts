import type { Statement } from '../../../src/database/sql';
import { CloseOrderDays } from '../../../src/reporting/reports/close-order-days';
import { STUCK_KINDS } from '../../../src/delegation/lookup/stuck-orders';
import { fillTables } from '../../support/filled-tables';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

// Rows by the hundred thousand, for their number alone.
breaksTheLedger();

const ROWS = 400_000;
/** 8 KiB each, of one statement; a list of 50 rows needs some hundreds, and a table that is read from end to end is found by its name. */
const MOST_BLOCKS = 1_000;
/** Users are ranked by what all orders of 30 days have cost. */
const MOST_BLOCKS_OF_RANKS = 4_000;
/** For the rows: under a minute on a quiet machine, six times that on a busy one with a slow disk. */
const FILLED_WITHIN_MS = 900_000;
const BIG =
  /delegations|chain_transactions|ledger_entries|api_tokens|subscriptions|audit_log|users|accounts|holds|findings|events/;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: Plan[];
}

describe('lists over 400,000 rows', () => {
  let service: TestApp;
  let client: PanelClient;
  let operatorId: string;
  const seen = new Map<string, { statement: Statement; values: unknown[] }>();

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    const operator = await insertPanelUser(service, { operator: true, email: 'olga@example.com' });
    operatorId = operator.id;
    await fillTables(service.databaseUrl, operator.id, ROWS);
    // As the service does by itself: days that are over are summed up.
    expect(await service.app.get(CloseOrderDays).run(Date.now())).toBeGreaterThan(250);
    // As autovacuum does within minutes; until then plans go by nothing.
    await service.sql.rows({ name: '', text: 'analyze order_days, order_months, order_day_totals, late_orders' }, []);
    const sql = service.sql as unknown as { run: (statement: Statement, values: unknown[]) => Promise<unknown> };
    const run = sql.run.bind(sql);
    sql.run = (statement, values) => {
      seen.set(statement.name, { statement, values });
      return run(statement, values);
    };
    client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
  }, FILLED_WITHIN_MS);
  afterAll(() => service?.close());

  /** What is wrong with how a page asks for its rows: a table read from end to end, or too much read at all. */
  async function costs(path: string): Promise<string[]> {
    seen.clear();
    expect((await client.get(path)).status).toBe(200);
    const asked = [...seen.values()].filter(({ statement }) => /^\s*(?:select|with)/.test(statement.text));
    expect(asked).not.toEqual([]);
    return (await Promise.all(asked.map((one) => costOf(one)))).flat();
  }

  async function costOf({ statement, values }: { statement: Statement; values: unknown[] }): Promise<string[]> {
    const [row] = await service.sql.rows<unknown[], { 'QUERY PLAN': { Plan: Plan }[] }>(
      { name: '', text: `explain (analyze, buffers, format json) ${statement.text}` },
      values,
    );
    const top = row!['QUERY PLAN'][0]!.Plan;
    const blocks = (top['Shared Hit Blocks'] ?? 0) + (top['Shared Read Blocks'] ?? 0);
    const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
    const scans = flatten(top)
      .filter((node) => node['Node Type'] === 'Seq Scan' && BIG.test(node['Relation Name'] ?? ''))
      .map((node) => `${statement.name} scans ${node['Relation Name']!}`);
    const most = statement.name === 'panel_customers_by_need' ? MOST_BLOCKS_OF_RANKS : MOST_BLOCKS;
    return blocks > most ? [...scans, `${statement.name} reads ${blocks} blocks`] : scans;
  }

  const txid = (n: number) => n.toString(16).padStart(64, '0');
  const user = `/panel/operator/users/0000000b-0000-7000-8000-000000000077`;
  const order = '0000000d-0000-7000-8000-000000000002';
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const LONG_AGO = `from=${day(400)}&to=${day(390)}`;
  const TODAY = `from=${day(1)}&to=${day(0)}`;
  const lists: readonly (readonly [path: string, list?: string])[] = [
    ['/panel/tokens'],
    ['/panel/balance', 'holds'],
    ['/panel/balance', 'ledger'],
    ['/panel/subscriptions'],
    ['/panel/orders'],
    ['/panel/orders?state=failed'],
    [`/panel/orders/${order}`, 'history'],
    ['/panel/operator'],
    ['/panel/operator/business'],
    ['/panel/operator/business?days=30'],
    [`/panel/operator/business?${LONG_AGO}`],
    ['/panel/orders/refused'],
    ['/panel/operator/users'],
    ['/panel/operator/users?email=user777'],
    [user],
    [`${user}/tokens`],
    ['OPERATOR'],
    ['OPERATOR/money', 'holds'],
    ['OPERATOR/subscriptions', 'subscriptions'],
    ['OPERATOR/money', 'ledger'],
    [`OPERATOR/money?${LONG_AGO}`, 'ledger'],
    ['OPERATOR/tokens'],
    ['/panel/operator/orders'],
    ['/panel/operator/orders?sort=oldest'],
    ['/panel/operator/orders?sort=price'],
    ['/panel/operator/orders?sort=price&user=user77%40example.com'],
    ['/panel/operator/orders?state=failed'],
    ['/panel/operator/orders?state=pending'],
    ['/panel/operator/orders?trouble=yes'],
    ['/panel/orders?trouble=yes'],
    [`/panel/operator/orders?txid=${txid(123_456)}`],
    [`/panel/operator/orders?receiver=T${'77'.padStart(33, '0')}`],
    ['/panel/operator/orders?user=user77%40example.com'],
    ...STUCK_KINDS.map((kind) => [`/panel/operator/orders?stuck=${kind}`] as const),
    [`/panel/orders?${LONG_AGO}`],
    [`/panel/operator/orders?${LONG_AGO}`],
    [`/panel/operator/orders?state=failed&${LONG_AGO}`],
    [`/panel/balance?${LONG_AGO}`, 'ledger'],
    ['/panel/operator/findings'],
    ['/panel/operator/wallets'],
    ['/panel/operator/findings?resolved=yes'],
    ['/panel/operator/audit-log'],
    [`/panel/operator/audit-log?${LONG_AGO}`],
    [`/panel/operator/audit-log?who=olga%40example.com&${TODAY}`],
    ['/panel/operator/audit-log?subject=user%20777'],
    ['/panel/operator/audit-log?who=olga%40example.com'],
    ['/panel/operator/audit-log?who=olga%40example.com&subject=user%20777'],
    ['/panel/operator/audit-log?who=command%20line'],
    ['/panel/operator/audit-log?who=reconciler'],
  ];

  it.each(lists.map(([path, list]) => ({ path, list: list ?? 'after' })))(
    '$path reads little for a page, and for the next one ($list)',
    async ({ path: named, list }) => {
      const path = named.replace('OPERATOR', `/panel/operator/users/${operatorId}`);
      expect(await costs(path)).toEqual([]);
      const links = [...(await client.get(path)).text.matchAll(/href="([^"]+)" rel="next"/g)];
      const hrefs = links.map(([, href]) => new URL(href!.replaceAll('&amp;', '&'), service.url));
      const next = hrefs.find(({ searchParams }) => searchParams.has(list));
      if (next === undefined) return;
      const later = next.pathname + next.search;
      expect(await costs(later)).toEqual([]);
      const [first, second] = [await client.get(path), await client.get(later)];
      const rows = (text: string) => text.match(/<tbody[^>]*>.*?<\/tbody>/gs);
      expect(rows(second.text)).not.toEqual(rows(first.text));
    },
  );

  it.each([
    ['/panel/orders', 'after', `0000000d-0000-7000-8000-${String(ROWS / 2).padStart(12, '0')}`],
    ['/panel/tokens', 'after', `0000000a-0000-7000-8000-${String(ROWS / 10).padStart(12, '0')}`],
    ['/panel/subscriptions', 'after', `0000000c-0000-7000-8000-${String(ROWS / 10).padStart(12, '0')}`],
    ['/panel/balance', 'holds', `0000000d-0000-7000-8000-${String(ROWS - 2_000).padStart(12, '0')}`],
    ['/panel/balance', 'ledger', String(ROWS / 2)],
    [`/panel/orders/${order}`, 'history', String(ROWS / 2)],
    ['/panel/operator/findings', 'after', String(ROWS / 2)],
    ['/panel/operator/findings?resolved=yes', 'after', String(ROWS / 2)],
    ['/panel/operator/audit-log', 'after', String(ROWS / 2)],
    ['/panel/operator/audit-log?who=olga%40example.com', 'after', String(ROWS / 2)],
    ['OPERATOR/money', 'holds', `0000000d-0000-7000-8000-${String(ROWS - 2_000).padStart(12, '0')}`],
    ['OPERATOR/money', 'ledger', String(ROWS / 2)],
    ['/panel/operator/orders', 'after', `0000000d-0000-7000-8000-${String(ROWS / 2).padStart(12, '0')}`],
    ['/panel/operator/users', 'after', `0000000b-0000-7000-8000-${String(ROWS / 4).padStart(12, '0')}`],
  ])('%s opens in its middle with as little as at its beginning', async (named, list, middle) => {
    const path = named.replace('OPERATOR', `/panel/operator/users/${operatorId}`);
    const later = `${path}${path.includes('?') ? '&' : '?'}${list}=${middle}`;
    expect(await costs(later)).toEqual([]);
    expect((await client.get(later)).text).toContain('rel="next"');
  });
});
