import { type Refund, RefundAdminService } from '../../src/admin/refund-admin.service';
import { LedgerService } from '../../src/balance/ledger.service';
import { BalanceService } from '../../src/balance/balance.service';
import { TOKEN_ADDRESS } from '../../local-chain/src/token/token.model';
import { type Key, named, TestChain, type Built } from '../local-chain/chain.fixture';
import { type CommitEnd, DatabaseProxy } from '../support/database-proxy';
import { insertUser } from '../support/factories';
import { expectLedgerConsistent } from '../support/ledger-consistency';
import { NodeProxy } from '../support/node-proxy';
import { until } from '../support/until';
import { OrderWorld } from '../support/order-world';

const TRX = 1_000_000n;
const BY = { id: null, address: 'test' };
/** More than make a block final on this chain. */
const ENOUGH = 12;

describe('a refund', () => {
  let world: OrderWorld;
  let chain: TestChain;
  let liar: NodeProxy;
  let database: DatabaseProxy;
  let admin: RefundAdminService;
  let email: string;
  let userId: string;
  let to: Key;
  let customers = 0;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      backgroundWork: false,
      nodeUrl: async (url) => {
        liar = new NodeProxy(url);
        return `${await liar.open()},${url}`;
      },
      databaseUrl: async (url) => {
        database = new DatabaseProxy(url);
        return database.open();
      },
    });
    chain = new TestChain(world.chain);
    admin = world.app.app.get(RefundAdminService);
    await chain.blocks(ENOUGH);
  });
  afterAll(async () => {
    await world.close();
    await liar.close();
    await database.close();
  });
  beforeEach(async () => {
    liar.after = (_, answer) => answer;
    liar.answers = () => undefined;
    database.endOfCommit = () => 'passes';
    email = `customer-${++customers}@example.com`;
    userId = await customer(email, 100n * TRX);
    to = named(`customer ${customers}`);
  });
  afterEach(() => expectLedgerConsistent(world.app.sql));

  const customer = async (address: string, balanceSun: bigint): Promise<string> => {
    const id = await insertUser(world.app.orm, { email: address });
    await ledger().credit({ userId: id, amountSun: balanceSun, note: 'top-up' });
    return id;
  };
  const ledger = () => world.app.app.get(LedgerService);
  const available = async (id = userId) => (await world.app.app.get(BalanceService).getBalance(id)).availableSun;
  const movements = async () => (await ledger().listEntries(userId)).filter(({ kind }) => kind === 'refund');
  /** What the audit log has of refunds of this customer. */
  const acts = async () =>
    (
      await world.query(
        `select outcome from audit_log where action = 'balance.refund' and subject = 'user ' || $1 order by id`,
        [userId],
      )
    ).map((row) => (row as { outcome: string }).outcome);
  /** A transfer in a block that is final, unless so many blocks are not enough. */
  const sent = async (sun = 30n * TRX, above = ENOUGH, receiver = to): Promise<string> => {
    const { txID } = await chain.must(await chain.transfer(chain.rich, receiver, Number(sun)), chain.rich);
    if (above > 0) await chain.blocks(above);
    return txID;
  };
  const refund = (txid: string, more: Partial<Refund> = {}, whose = email) =>
    admin.refund(BY, whose, { amountSun: 30n * TRX, to: to.base58, txid, ...more });
  const refused = async (reason: string | RegExp, act: Promise<unknown>) => {
    await expect(act).rejects.toThrow(reason);
    expect(await available()).toBe(100n * TRX);
    expect(await movements()).toEqual([]);
  };

  it('is refused for a transfer that no block has, and for one that is not final yet, and books it then', async () => {
    await refused('no node shows transaction', refund('ab'.repeat(32)));
    const built = chain.sign(await chain.transfer(chain.rich, to, Number(30n * TRX)), chain.rich);
    await chain.post('wallet/broadcasttransaction', built);
    await refused('no node shows transaction', refund(built.txID));
    await chain.blocks(1);
    await refused(/is in block \d+, which is not final yet/, refund(built.txID));
    await chain.blocks(ENOUGH);
    expect(await refund(built.txID)).toMatchObject({
      balanceSun: 70n * TRX,
      repeated: false,
      from: chain.rich.base58,
    });
    expect(await movements()).toMatchObject([{ amountSun: -30n * TRX, balanceSun: 70n * TRX, reference: built.txID }]);
    expect(await acts()).toEqual(['refused', 'refused', 'refused', 'done']);
  });

  it('is refused for one that a fork has dropped', async () => {
    const txid = await sent(30n * TRX, 1);
    const { number } = await chain.head();
    await chain.control('fork', { from: Number(number) - 1, keep: [] });
    await chain.blocks(ENOUGH + 2);
    await refused('no node shows transaction', refund(txid));
  });

  it('is refused when it went to another address, or was of another amount, to the sun', async () => {
    const txid = await sent();
    await refused(`went to ${to.base58}, not to`, refund(txid, { to: chain.rich.base58 }));
    for (const amountSun of [30n * TRX - 1n, 30n * TRX + 1n])
      await refused('sent 30.000000, not', refund(txid, { amountSun }));
  });

  it('is refused when it went to a deposit address, also one that was left out, or to a wallet of the pool', async () => {
    for (const owner of [userId, null]) {
      const address = named(`deposits ${owner}`);
      const row = [address.base58, address.hex, owner === null ? 1 : 0, owner];
      await world.query(
        `insert into deposit_addresses (address, hex, account, number, user_id) values ($1, $2, 'a', $3, $4) returning 1`,
        row,
      );
      const txid = await sent(30n * TRX, ENOUGH, address);
      await refused('is a deposit address or a pool wallet', refund(txid, { to: address.base58 }));
    }
    const txid = await sent(30n * TRX, ENOUGH, chain.pool);
    await refused('is a deposit address or a pool wallet', refund(txid, { to: chain.pool.base58 }));
  });

  it('is refused for anything but a transfer of TRX: stake, a token, and what the service itself has sent', async () => {
    const frozen = await chain.must(
      await chain.build('FreezeBalanceV2Contract', {
        owner_address: chain.rich.hex,
        frozen_balance: Number(30n * TRX),
        resource: 'ENERGY',
      }),
      chain.rich,
    );
    await chain.blocks(ENOUGH);
    await refused('is not a transfer of TRX', refund(frozen.txID));
    const usdt = await tokenTransfer();
    await refused('is not a transfer of TRX', refund(usdt.txID));
    const txid = await sent();
    await world.query(
      `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, expiration_ms,
         ref_block_number, state, block_number, block_id)
       select $1, 'activation', 'order', gen_random_uuid(), id, $2, 1, '', 1, 1, 'final', 1, repeat('0', 64) from pool_wallets limit 1`,
      [txid, to.base58],
    );
    await refused('refunds no customer: this service sent it', refund(txid));
  });

  /** USDT, to the same address, of the same number. */
  const tokenTransfer = async (): Promise<Built> => {
    const { rich } = chain;
    const data = `a9059cbb${to.hex.slice(2).padStart(64, '0')}${(30n * TRX).toString(16).padStart(64, '0')}`;
    const call = { owner_address: rich.hex, contract_address: TOKEN_ADDRESS, data };
    const built = await chain.must(
      await chain.build('TriggerSmartContract', call, { header: { fee_limit: 100_000_000 } }),
      rich,
    );
    await chain.blocks(ENOUGH);
    return built;
  };

  it('never takes what is promised to an order, nor more than there is', async () => {
    const txid = await sent(101n * TRX);
    await refused('insufficient balance', refund(txid, { amountSun: 101n * TRX }));
    await world.query('update accounts set held_sun = $2 where user_id = $1', [userId, (80n * TRX).toString()]);
    const held = await sent();
    await expect(refund(held)).rejects.toThrow('refund of 30.000000 refused: insufficient balance');
    expect(await movements()).toEqual([]);
    await world.query('update accounts set held_sun = 0 where user_id = $1', [userId]);
    expect(await acts()).toEqual(['refused', 'refused']);
  });

  it('moves money once when it is named twice, one after the other or at once', async () => {
    const txid = await sent();
    const results = await Promise.all(Array.from({ length: 6 }, () => refund(txid)));
    expect(results.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(await refund(txid)).toMatchObject({ repeated: true, balanceSun: 70n * TRX });
    expect(await movements()).toHaveLength(1);
    await expect(refund(txid, { amountSun: 29n * TRX })).rejects.toThrow('sent 30.000000, not 29.000000');
    expect(await available()).toBe(70n * TRX);
  });

  it('of one transfer is of one customer, also when two are named at once', async () => {
    const other = `other-${email}`;
    const otherId = await customer(other, 100n * TRX);
    const txid = await sent();
    const results = await Promise.allSettled([refund(txid), refund(txid, {}, other)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await available()) + (await available(otherId))).toBe(170n * TRX);
    const loser = results[0].status === 'rejected' ? email : other;
    await expect(refund(txid, {}, loser)).rejects.toThrow('has already refunded another customer');
  });

  it('of one transfer waits for another customer who is refunded by it at this moment, and is refused then', async () => {
    const otherId = await customer(`other-${email}`, 100n * TRX);
    const movement = { amountSun: 30n * TRX, note: '', reference: 'cd'.repeat(32) };
    let second: Promise<unknown> = Promise.resolve();
    await world.app.sql.transaction(async (tx) => {
      await ledger().refund({ userId, ...movement }, tx);
      second = world.app.sql.transaction((other) => ledger().refund({ userId: otherId, ...movement }, other));
      second.catch(() => undefined);
      const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`;
      await until('the second one waits', async () => (await world.query(waits)).length > 0);
    });
    await expect(second).rejects.toThrow('has already refunded another customer');
    expect(await available(otherId)).toBe(100n * TRX);
  });

  it('is found again after a commit that was not acknowledged, and free after one that was lost', async () => {
    const end = (how: CommitEnd) => {
      let left = 1;
      database.endOfCommit = (statements) => (statements.includes('ledger_move') && left-- > 0 ? how : 'passes');
    };
    const txid = await sent();
    end('is lost');
    await expect(refund(txid)).rejects.toThrow('broke and nothing was done');
    expect(await available()).toBe(100n * TRX);
    end('is not acknowledged');
    expect(await refund(txid)).toMatchObject({ lookedUp: true });
    expect(await refund(txid)).toMatchObject({ repeated: true });
    expect(await available()).toBe(70n * TRX);
  });

  describe('of which one of two nodes lies', () => {
    const OTHERS = '0'.repeat(64);
    it.each([
      ['that it knows nothing of it', () => '{}'],
      ['that it is in another block', (answer: string) => answer.replace(/("blockNumber":\s*)\d+/, '$1"2"')],
      ['of another transaction', (answer: string) => answer.replace(/("id":\s*")[0-9a-f]{64}/, `$1${OTHERS}`)],
      ['nonsense', () => '{"id":7}'],
    ])('is booked all the same when it says %s', async (_, lie) => {
      const txid = await sent();
      liar.after = ({ route }, answer) => (route === 'wallet/gettransactioninfobyid' ? lie(answer) : answer);
      expect(await refund(txid)).toMatchObject({ repeated: false, balanceSun: 70n * TRX });
    });

    it('is refused when it shows a transfer that no block has: with a forged list, or a forged block', async () => {
      const honest = await sent(30n * TRX, ENOUGH, named('another customer'));
      const { blockNumber } = (await chain.post('wallet/gettransactioninfobyid', { value: honest })) as {
        blockNumber: number;
      };
      const forged = chain.sign(await chain.transfer(chain.rich, to, Number(30n * TRX)), chain.rich);
      const info = JSON.stringify({ id: forged.txID, blockNumber });
      liar.answers = ({ route, body }) =>
        route === 'wallet/gettransactioninfobyid' && body['value'] === forged.txID ? info : undefined;
      const asked = ({ route, body }: { route: string; body: Record<string, unknown> }) =>
        route === 'wallet/getblockbynum' && body['num'] === blockNumber;
      const inBlock = (answer: string) => {
        const block = JSON.parse(answer) as { transactions: unknown[] };
        return JSON.stringify({ ...block, transactions: [{ ...forged, ret: [{ contractRet: 'SUCCESS' }] }] });
      };
      liar.after = (call, answer) => (asked(call) ? inBlock(answer) : answer);
      await refused(
        /nodes show transaction \w+ in block \d+, but no signatures of active witnesses prove it/,
        refund(forged.txID),
      );
    });

    it('is refused when it shows another result of what did not pay: the root is of the true one', async () => {
      const txid = await sent(1n * TRX);
      liar.after = ({ route }, answer) =>
        route === 'wallet/getblockbynum' ? answer.replaceAll('1000000', '30000000') : answer;
      await refused('sent 1.000000, not 30.000000', refund(txid));
    });
  });
});
