import { Client, type QueryResult } from 'pg';
import { Queryable } from '../../src/database/sql';
import type { NamedText } from '../../src/database/statement';
import { checkMoney } from '../../src/reconciliation/checks/money.checks';

const SHOWN = 10;
let isBrokenOnPurpose = false;

/** For a test file that writes rows which do not belong together. */
export function breaksTheLedger(): void {
  isBrokenOnPurpose = true;
}

/** After every test that moves money: entries add up to balances, holds equal open orders, nothing is negative. */
export async function expectLedgerConsistent(db: Queryable): Promise<void> {
  expect((await checkMoney(db)).findings.slice(0, SHOWN)).toEqual([]);
}

/** The same of each database that a test file leaves, unless it breaks that on purpose. */
export async function expectLedgerLeftConsistent(url: string): Promise<void> {
  if (isBrokenOnPurpose) return;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await expectLedgerConsistent(new OneConnection(client));
  } finally {
    await client.end();
  }
}

class OneConnection extends Queryable {
  constructor(private readonly client: Client) {
    super();
  }

  protected run({ text }: NamedText, values: unknown[]): Promise<QueryResult> {
    return this.client.query(text, values);
  }
}
