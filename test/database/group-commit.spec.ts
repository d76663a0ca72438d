import { GroupCommit } from '../../src/database/group-commit';
import { ServicePool } from '../../src/database/service-pool';
import { Sql } from '../../src/database/sql';
import { statement } from '../../src/database/statement';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const REFUSE = statement<[code: string]>('test_refuse', 'select refuse($1)');

describe('a group of writes that the database refuses', () => {
  let database: TestDatabase;
  let pool: ServicePool;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new ServicePool(database.url);
    sql = new Sql(pool);
    const refuse = `create function refuse(code text) returns void language plpgsql as $$
      begin raise exception 'refused' using errcode = code; end $$`;
    await sql.execute(statement('test_function', refuse));
  });
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  /** Which of ten items were tried alone after the server had refused all ten. */
  async function triedAlone(code: string): Promise<{ alone: number[]; outcomes: string[] }> {
    const alone: number[] = [];
    const group = new GroupCommit<number, string>({
      together: async () => {
        await sql.transaction((tx) => tx.execute(REFUSE, [code]));
        return [];
      },
      alone: async (item) => {
        alone.push(item);
        return 'written';
      },
    });
    const items = Array.from({ length: 10 }, (_, at) => at);
    const settled = await Promise.allSettled(items.map((item) => group.run(item)));
    return { alone, outcomes: settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)) };
  }

  it.each(['23514', '22003', 'P0001'])('for what one of them may be (%s) is written one by one', async (code) => {
    const { alone, outcomes } = await triedAlone(code);
    expect(alone).toHaveLength(10);
    expect(outcomes).toEqual(Array(10).fill('written'));
  });

  // A server that is full, going or coming would be asked ten times more.
  it.each(['53100', '53200', '53300', '57014', '57P01', '57P03'])(
    'for what the server is (%s) is refused as a whole, and tried no more',
    async (code) => {
      const { alone, outcomes } = await triedAlone(code);
      expect(alone).toEqual([]);
      expect(outcomes).toEqual(Array(10).fill(code));
    },
  );
});
