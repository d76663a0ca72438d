import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const COUNTS = ['orders', 'succeeded', 'failed', 'charged_sun', 'energy', 'landed', 'activations', 'activated_sun'];
const COUNT_LIST = COUNTS.join(', ');
const SUMS = COUNTS.map((count) => `sum(${count})::bigint as ${count}`).join(', ');
const MONTHS = `select month::text, user_id, paid_by, ${COUNT_LIST} from order_months order by 1, 2, 3`;
const MONTHS_OF_DAYS = `select date_trunc('month', day)::date::text as month, user_id, paid_by, ${SUMS} from order_days group by 1, 2, 3 order by 1, 2, 3`;
const TOTALS = `select day::text, paid_by, ${COUNT_LIST} from order_day_totals order by 1, 2`;
const TOTALS_OF_DAYS = `select day::text, paid_by, ${SUMS} from order_days group by 1, 2 order by 1, 2`;

/** Different numbers in each column and row: no sum is right by chance. */
const FILL = [
  `insert into users (id, email, name)
   select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n || '@example.com', 'a' from generate_series(1, 3) n`,
  `insert into accounts (user_id) select id from users`,
  `insert into order_days (day, user_id, paid_by, ${COUNT_LIST})
   select day, u.id, p, ${COUNTS.map((_, at) => `extract(doy from day)::bigint * ${10 ** at} + ${at} + length(p)`).join(', ')}
     from generate_series(date '2025-12-20', date '2026-01-10', '1 day') day, users u, unnest(array['balance', 'subscription']) p`,
];

describe('the sums of the days of orders', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client(database.url);
    await client.connect();
    for (const statement of FILL) await client.query(statement);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const rows = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;
  const expectSums = async (months: number, days: number) => {
    const [ofMonths, ofDays] = [await rows(MONTHS), await rows(TOTALS)];
    expect([ofMonths.length, ofDays.length]).toEqual([months, days]);
    expect(ofMonths).toEqual(await rows(MONTHS_OF_DAYS));
    expect(ofDays).toEqual(await rows(TOTALS_OF_DAYS));
  };

  it('count each day, by month and by day', () => expectSums(2 * 3 * 2, 22 * 2));

  it('follow what comes, changes and goes', async () => {
    await client.query(
      `insert into order_days (day, user_id, paid_by, ${COUNT_LIST})
       select '2026-01-11', id, 'balance', ${COUNTS.map((_, at) => at + 3).join(', ')} from users`,
    );
    await client.query(
      `update order_days set charged_sun = charged_sun + 7 where day between '2025-12-31' and '2026-01-02'`,
    );
    await client.query(`delete from order_days where day = '2026-01-05'`);
    expect(await rows(`select 1 from order_day_totals where day = '2026-01-05' and orders <> 0`)).toEqual([]);
    await client.query(`delete from order_day_totals where orders = 0 and day = '2026-01-05'`);
    await expectSums(2 * 3 * 2, 22 * 2 - 2 + 1);
  });
});
