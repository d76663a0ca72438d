import { Client } from 'pg';
import { PoolWalletRepository } from '../../../../src/chain/pool/wallets/pool-wallet.repository';
import { createTestApp, type TestApp } from '../../../support/test-app';

const WALLET = '00000000-0000-7000-8000-000000000001';
const OTHER = '00000000-0000-7000-8000-000000000002';
const READ_AT = 100;

/** Each with its wallet, purpose, state and block. */
const TRANSACTIONS = [
  ...['saved', 'sent'].map((state) => [WALLET, 'activation', state, null]),
  [WALLET, 'activation', 'included', READ_AT],
  [WALLET, 'activation', 'included', READ_AT + 1],
  ...[READ_AT - 1, READ_AT, READ_AT + 1, READ_AT + 2].map((block) => [WALLET, 'activation', 'final', block]),
  [WALLET, 'activation', 'dead', null],
  [WALLET, 'delegation', 'final', READ_AT + 1],
  [OTHER, 'activation', 'sent', null],
  [OTHER, 'activation', 'final', READ_AT + 1],
] as const;

describe('a wallet that activates', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    const client = new Client(service.databaseUrl);
    await client.connect();
    // Transactions without their orders.
    await client.query('set session_replication_role = replica');
    for (const [at, id] of [WALLET, OTHER].entries()) {
      await client.query(
        `insert into pool_wallets (id, name, address, role, key_source, observed_block) values ($1, $2, $2, 'activate', 'env:NONE', $3)`,
        [id, `wallet ${at}`, READ_AT],
      );
    }
    for (const [at, [wallet, purpose, state, block]] of TRANSACTIONS.entries()) {
      await client.query(
        `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, expiration_ms,
           ref_block_number, state, block_number)
         values ($1, $2, 'order', gen_random_uuid(), $3, $1, 1, '', 1, 1, $4, $5)`,
        [`${at}`.padStart(64, '0'), purpose, wallet, state, block],
      );
    }
    await client.end();
  });
  afterAll(() => service.close());

  it('has still to pay for what is open, and for what is final in a block that its reading does not know', async () => {
    const wallets = service.app.get(PoolWalletRepository);
    const due = await service.sql.transaction(
      async (tx) => (await wallets.readForActivation(WALLET, tx))!.transactions_due,
    );
    expect(due).toBe(4n + 2n);
  });
});
