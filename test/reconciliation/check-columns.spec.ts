import { Client } from 'pg';
import { LANGUAGES } from '../../src/languages/languages';
import { MONEY_CHECKS } from '../../src/reconciliation/checks/money.checks';
import { ORDER_CHECKS } from '../../src/reconciliation/checks/order.checks';
import { TRANSACTION_CHECKS } from '../../src/reconciliation/checks/transaction.checks';
import { parametersOf } from '../support/finding-parameters';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

describe('a check of rows', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client(database.url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([...MONEY_CHECKS, ...ORDER_CHECKS, ...TRANSACTION_CHECKS].map((check) => [check.code, check] as const))(
    'selects for %s what its sentence says, as text',
    async (code, { of, statement }) => {
      const { fields } = await client.query(statement.text, of === 'open' ? [] : [[]]);
      const columns = fields
        .map(({ name }) => name)
        .filter((name) => name !== 'acknowledgeable_sun' && name !== 'subject_type');
      const said = parametersOf(LANGUAGES.en.findings.reasons[code]);
      expect(columns.toSorted()).toEqual(['subject_id', ...said].toSorted());
      const types = fields.filter(({ name }) => columns.includes(name)).map(({ dataTypeID }) => dataTypeID);
      // uuid and text; numbers would lose digits in JSON.
      expect(types.filter((type) => ![25, 2950].includes(type))).toEqual([]);
    },
  );
});
