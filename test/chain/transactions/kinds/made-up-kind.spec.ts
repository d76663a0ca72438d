import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { PoolWallets } from '../../../../src/chain/pool/wallets/pool-wallets';
import { keyOwner } from '../../../../src/chain/pool/wallets/wallet-row';
import type {
  Outcome,
  OutcomeListener,
  TransactionKind,
} from '../../../../src/chain/transactions/kinds/transaction-kind';
import { TransactionKinds, UnknownKindError } from '../../../../src/chain/transactions/kinds/transaction-kinds';
import { Outbox } from '../../../../src/chain/transactions/outbox/outbox';
import { TransactionBuilder } from '../../../../src/chain/transactions/signing/transaction-builder';
import { ReferenceBlocks } from '../../../../src/chain/verified-chain/reference-blocks';
import type { SqlTransaction } from '../../../../src/database/sql';
import { statement } from '../../../../src/database/statement';
import { ORDER_CHECKS } from '../../../../src/reconciliation/checks/order.checks';
import { runChecks } from '../../../../src/reconciliation/checks/run-checks';
import { WalletUses } from '../../../../src/reconciliation/uses/wallet-uses';
import { OrderWorld } from '../../../support/order-world';
import type { TestApp } from '../../../support/test-app';
import { until } from '../../../support/until';

/** Belongs to a wallet and to no order: a transfer whose row shows neither receiver nor amount. */
const GIFT: TransactionKind = {
  name: 'gift',
  subject: 'wallet',
  contract: {
    type: 1n,
    name: 'TransferContract',
    fields: { owner_address: [1, 'address'], to_address: [2, 'address'], amount: [3, 'integer'] },
  },
  role: 'delegate',
  fixed: { amount: 5n },
  resent: 'always',
  alone: 'chain_transactions_one_open_per_subject',
  effect: () => ({ paidSun: 5n }),
};

const NOTE = statement<[subjectId: string, outcome: string]>(
  'test_gift_note',
  'insert into gifts (subject_id, outcome) values ($1, $2)',
);

/** Notes each outcome in the transaction that records it. */
class Gifts implements OutcomeListener {
  fails: Outcome | null = null;
  lock: OutcomeListener['lock'] = async (_tx, _outcome, rows) => rows;
  included: OutcomeListener['included'] = (tx, rows) => this.note(tx, 'included', rows);
  dropped: OutcomeListener['dropped'] = (tx, row) => this.note(tx, 'dropped', [row]);
  final: OutcomeListener['final'] = (tx, rows) => this.note(tx, 'final', rows);
  dead: OutcomeListener['dead'] = (tx, row) => this.note(tx, 'dead', [row]);

  private async note(tx: SqlTransaction, outcome: Outcome, rows: readonly { subject_id: string }[]): Promise<void> {
    for (const row of rows) await tx.execute(NOTE, [row.subject_id, outcome]);
    if (this.fails === outcome) throw new Error('not today');
  }
}

describe('a kind of transaction that no file but its own names', () => {
  let world: OrderWorld;
  let gifts: Gifts;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual', solidLag: 4, env: { ANSWER_TIMEOUT: '20s' } });
    await world.app.orm.em.fork().execute('create table gifts (subject_id uuid not null, outcome text not null)');
    gifts = register(world.app);
    await world.control('block');
  });
  afterAll(() => world.close());

  function register({ app }: TestApp): Gifts {
    const listener = new Gifts();
    app.get(TransactionKinds).register(listener, GIFT);
    return listener;
  }
  async function commit({ app, sql }: TestApp, subjectId: string, kind = GIFT): Promise<string> {
    const [{ id }] = (await world.query(`select id from pool_wallets where role = 'delegate'`)) as [{ id: string }];
    const wallet = await app.get(PoolWallets).get(id);
    const values = { to_address: world.chain.accounts.find(({ role }) => role === 'activate')!.address };
    const reference = await app.get(ReferenceBlocks).final();
    const signed = await app.get(TransactionBuilder).sign(keyOwner(wallet), kind, values, reference);
    await sql.transaction((tx) => app.get(Outbox).save(tx, { kind, subjectId, walletId: id, values, signed }));
    return signed.txId;
  }
  const rowOf = async (txId: string) =>
    (await world.query('select * from chain_transactions where tx_id = $1', [txId]))[0]!;
  const notedOf = async (id: string) =>
    (await world.query('select outcome from gifts where subject_id = $1', [id])).map(({ outcome }) => outcome);
  const untilNoted = (id: string, ...outcomes: string[]) =>
    until(`${outcomes.join(', ')} noted`, async () => String(await notedOf(id)) === String(outcomes));
  /** The follower sends it, once it may have been lost. */
  async function untilSent(txId: string): Promise<void> {
    await world.query(
      `update chain_transactions set created_at = now() - interval '10 seconds' where tx_id = $1 returning 1`,
      [txId],
    );
    await world.untilRow(`select 1 from chain_transactions where tx_id = $1 and state = 'sent'`, [txId]);
  }

  it('is committed, sent, included and final by the same outbox without an order, and its listener notes that with it', async () => {
    const id = randomUUID();
    const txId = await commit(world.app, id);
    expect(await rowOf(txId)).toMatchObject({
      purpose: 'gift',
      subject_kind: 'wallet',
      receiver: null,
      amount_sun: null,
    });
    await untilSent(txId);
    await world.control('block');
    await untilNoted(id, 'included');
    await world.control('block', { count: 5 });
    await untilNoted(id, 'included', 'final');
    expect(await rowOf(txId)).toMatchObject({ state: 'final', signature: null });
    expect((await world.audit()).findings).toEqual([]);
    // What it paid is ours: nothing of the wallet is unexplained by it.
    await world.tryToReadWallets();
    expect((await world.app.app.get(WalletUses).lookNow()).uses.flatMap(({ differences }) => differences)).toEqual([]);
  });

  it('is dropped by a fork, and dead once it has expired', async () => {
    const id = randomUUID();
    const txId = await commit(world.app, id);
    await untilSent(txId);
    await world.control('block');
    await untilNoted(id, 'included');
    const { block_number: from } = await rowOf(txId);
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'busy', count: 1000 });
    await world.control('fork', { from: Number(from), keep: [], drop_pending: true });
    await world.control('block', { count: 2 });
    await untilNoted(id, 'included', 'dropped');
    await world.control('clock', { ms: 61_000 });
    await world.control('block', { count: 6 });
    await untilNoted(id, 'included', 'dropped', 'dead');
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'none' });
    expect(await rowOf(txId)).toMatchObject({ state: 'dead' });
  });

  it('is recorded with what follows from it or not at all, and holds up no other', async () => {
    gifts.fails = 'final';
    const id = randomUUID();
    const txId = await commit(world.app, id);
    await untilSent(txId);
    const answer = world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending(2);
    await world.control('block');
    await untilNoted(id, 'included');
    await world.control('block', { count: 5 });
    const order = (await answer).headers.get('x-delegation-id')!;
    await world.untilState(order, 'delegated');
    expect([await notedOf(id), (await rowOf(txId))['state']]).toEqual([['included'], 'included']);
    gifts.fails = null;
    await untilNoted(id, 'included', 'final');
  });

  it('is alone: a second one that is open for the same subject is refused', async () => {
    const id = randomUUID();
    await commit(world.app, id);
    await expect(commit(world.app, id)).rejects.toMatchObject({ constraint: GIFT.alone });
    await world.control('clock', { ms: 61_000 });
    await world.control('block', { count: 6 });
    await untilNoted(id, 'dead');
  });

  it('is gone on with after a restart between its commit and its sending, once its room is there', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const id = randomUUID();
    const txId = await commit(world.app, id);
    await world.startInstance();
    await world.stopInstance(world.app);
    // An instance whose rooms do not know the kind sends and concludes nothing, says so, and orders go on.
    await world.query(
      `update chain_transactions set created_at = now() - interval '10 seconds' where tx_id = $1 returning 1`,
      [txId],
    );
    const said = () =>
      errors.mock.calls.filter(([what]) => (what as { err?: unknown }).err instanceof UnknownKindError);
    await until('that it is not known said', async () => said().length > 0);
    const order = world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending(1);
    await world.control('block', { count: 6 });
    await world.untilState((await order).headers.get('x-delegation-id')!, 'delegated');
    expect([await notedOf(id), (await rowOf(txId))['state']]).toEqual([[], 'saved']);
    register(world.app);
    await untilSent(txId);
    await world.control('block', { count: 1 });
    await untilNoted(id, 'included');
    await world.control('block', { count: 5 });
    await untilNoted(id, 'included', 'final');
    errors.mockRestore();
  });

  it('is not concluded about, and that is said, where blocks show it to an instance that does not know it', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const id = randomUUID();
    const txId = await commit(world.app, id);
    await untilSent(txId);
    await world.startInstance();
    await world.stopInstance(world.app);
    await world.control('block');
    const said = (sentence: string) =>
      errors.mock.calls.some(
        ([what, text]) =>
          (what as { err?: unknown }).err instanceof UnknownKindError && String(text).startsWith(sentence),
      );
    await until('that its inclusion was not recorded said', async () => said('An inclusion was not recorded'));
    await world.control('block', { count: 5 });
    await until('that its end was not recorded said', async () => said('A final transaction was not recorded'));
    expect([await notedOf(id), (await rowOf(txId))['state']]).toEqual([[], 'sent']);
    register(world.app);
    await until('its end', async () => (await notedOf(id)).at(-1) === 'final');
    errors.mockRestore();
  });

  it('is refused where no room has registered it, and twice', async () => {
    const kind = { ...GIFT, name: 'theft' };
    await expect(commit(world.app, randomUUID(), kind)).rejects.toThrow(UnknownKindError);
    expect(await world.query(`select 1 from chain_transactions where purpose = 'theft'`)).toEqual([]);
    expect(() => register(world.app)).toThrow('two kinds of transaction are called gift');
  });

  it('that is stuck is a finding about the transaction, for it has no order', async () => {
    const txId = 'cd'.repeat(32);
    await world.query(
      `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, raw_data, expiration_ms, ref_block_number, state, resend)
       select $1, 'theft', 'wallet', id, id, '', 1, 0, 'sent', false from pool_wallets where name = 'pool' returning 1`,
      [txId],
    );
    const found = (await runChecks(world.app.sql, ORDER_CHECKS)).findings.map(({ code, about }) => ({ code, about }));
    expect(found).toEqual([{ code: 'stuck_transaction', about: { type: 'transaction', id: txId } }]);
    await world.query(`update chain_transactions set state = 'dead' where tx_id = $1 returning 1`, [txId]);
  });

  it('names an index of the schema that keeps it alone, as each of the service’s own kinds does', async () => {
    for (const { name, alone } of world.app.app.get(TransactionKinds).all) {
      const [index] = await world.query(`select indexdef from pg_indexes where indexname = $1`, [alone]);
      expect([name, String(index?.['indexdef'])]).toEqual([name, expect.stringContaining('UNIQUE INDEX')]);
    }
  });
});
