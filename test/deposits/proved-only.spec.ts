import { Logger } from '@nestjs/common';
import { OTHER_TOKEN_ADDRESS } from '../../local-chain/src/token/token.model';
import { TronWeb } from 'tronweb';
import { PoolAdminService } from '../../src/admin/pool-admin.service';
import { UnexplainedHoldings } from '../../src/deposits/unexplained-holdings';
import { asksForBlocks, editBlocks } from '../support/forged-blocks';
import { type NodeCall, NodeProxy } from '../support/node-proxy';
import { until } from '../support/until';
import { DepositWorld, TRX } from './deposit-world';

const word = (hex: string) => hex.padStart(64, '0');
const bytesOf = (address: string) => TronWeb.address.toHex(address).slice(2).toLowerCase();
const amountWord = (amount: number) => word(amount.toString(16));

/** What makes a credit, and what looks like it. */
describe('a deposit is credited by what its block proves', () => {
  let deposits: DepositWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    const nodeUrl = (url: string) => (proxy = new NodeProxy(url)).open();
    deposits = await DepositWorld.open({ nodeUrl });
    await deposits.rate(3_000_000n);
  });
  afterAll(async () => {
    await deposits.close();
    await proxy.close();
  });

  it('credits USDT by transfer, and by transferFrom', async () => {
    const [customer, other] = [await deposits.customer(), await deposits.customer()];
    const txid = await deposits.payUsdt(customer.address, 25_500_001);
    const rich = bytesOf(deposits.tronWeb.defaultAddress.base58 as string);
    await deposits.call(`095ea7b3${word(rich)}${amountWord(50 * TRX)}`);
    await deposits.mine();
    const from = await deposits.call(`23b872dd${word(rich)}${word(bytesOf(other.address))}${amountWord(20 * TRX)}`);
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([
      { txid, asset: 'USDT', amount: 25.500001, rate: 3, credited: 76.500003, state: 'credited' },
    ]);
    expect(await deposits.list(other)).toMatchObject([{ txid: from, amount: 20, credited: 60, state: 'credited' }]);
    expect([await deposits.balanceSun(customer), await deposits.balanceSun(other)]).toEqual([76_500_003n, 60_000_000n]);
  });

  it('credits a call with a dirty upper half of the address word, and with bytes that trail, as the contract pays it', async () => {
    const customer = await deposits.customer();
    const dirty = `${'5a'.repeat(12)}${bytesOf(customer.address)}`;
    await deposits.call(`a9059cbb${dirty}${amountWord(11 * TRX)}deadbeef`);
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ amount: 11, credited: 33, state: 'credited' }]);
  });

  it('records nothing of another token with the same symbol', async () => {
    const customer = await deposits.customer();
    await deposits.payUsdt(customer.address, 500 * TRX, OTHER_TOKEN_ADDRESS);
    await deposits.settle();
    expect(await deposits.list(customer)).toEqual([]);
  });

  it('records nothing of a call that failed, and nothing of an amount of zero', async () => {
    const customer = await deposits.customer();
    const data = `a9059cbb${word(bytesOf(customer.address))}`;
    // It runs out of energy; it wants more than there is.
    await deposits.call(`${data}${amountWord(100 * TRX)}`, undefined, TRX);
    await deposits.call(`${data}${word((10n ** 17n).toString(16))}`);
    await deposits.call(`${data}${amountWord(0)}`);
    await deposits.settle();
    expect(await deposits.list(customer)).toEqual([]);
    expect(await deposits.balanceSun(customer)).toBe(0n);
  });

  it('credits nothing of what a contract pays inside itself, to two customers in one transaction', async () => {
    const [customer, other] = [await deposits.customer(), await deposits.customer()];
    for (const asset of ['TRX', 'USDT']) {
      const payments = [customer, other].map(({ address }) => ({ address, amount: 30 * TRX }));
      await deposits.world.control('payment', { asset, payments });
      await deposits.mine();
    }
    await deposits.settle();
    expect([await deposits.list(customer), await deposits.list(other)]).toEqual([[], []]);
  });

  it('credits several payments of one block to several customers, each once', async () => {
    const [customer, other] = [await deposits.customer(), await deposits.customer()];
    await deposits.payTrx(customer.address, 2 * TRX);
    await deposits.payTrx(other.address, 3 * TRX);
    await deposits.payUsdt(customer.address, 10 * TRX);
    await deposits.settle();
    expect([await deposits.balanceSun(customer), await deposits.balanceSun(other)]).toEqual([32_000_000n, 3_000_000n]);
  });

  it('records nothing of what a pool wallet sends, in a head block or a final one, and it is found as unexplained', async () => {
    const customer = await deposits.customer();
    await deposits.payTrx(customer.address, 7 * TRX, 'pool');
    await deposits.mine();
    const txid = await deposits.payTrx(customer.address, 2 * TRX);
    await deposits.mine();
    await deposits.untilSeen(txid);
    expect(await deposits.list(customer)).toMatchObject([{ txid }]);
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ txid }]);
    expect(await deposits.balanceSun(customer)).toBe(2_000_000n);
    const holdings = deposits.world.app.app.get(UnexplainedHoldings);
    await holdings.read(customer.address);
    expect(await holdings.list()).toContainEqual(
      expect.objectContaining({ address: customer.address, sun: 7_000_000n }),
    );
  });

  it('records nothing of what a wallet sent that was removed from the pool before the block was read', async () => {
    const customer = await deposits.customer();
    const { app } = deposits.world.app;
    await app.get(PoolAdminService).removeWallet({ id: null, address: 'test' }, 'activate');
    await deposits.payTrx(customer.address, 3 * TRX, 'activate');
    await deposits.settle();
    expect([await deposits.list(customer), await deposits.balanceSun(customer)]).toEqual([[], 0n]);
  });

  it('records nothing of transactions that a node shows under no root', async () => {
    const customer = await deposits.customer();
    // The payment is pending and in no block: the node shows it in each.
    const txid = await deposits.payTrx(customer.address, 1_000 * TRX);
    const pending = await deposits.world.node('wallet/gettransactionfrompending', { value: txid });
    expect(pending['txID']).toBe(txid);
    const shown = { ...pending, ret: [{ contractRet: 'SUCCESS' }] };
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const shownIn = new Map<number, number>();
    const isFull = (call: NodeCall) => asksForBlocks(call) && call.body['detail'] !== false;
    proxy.after = (call, answer) =>
      isFull(call)
        ? editBlocks(answer, (block) => {
            const { number } = block.block_header.raw_data;
            shownIn.set(number, (shownIn.get(number) ?? 0) + 1);
            return { ...block, transactions: [...(block.transactions ?? []), shown as never] };
          })
        : answer;
    await deposits.world.control('fork', { from: await deposits.head(), keep: [] });
    await deposits.mine(3);
    const head = await deposits.head();
    await until('all of them asked for again', async () =>
      [head - 2, head - 1, head].every((number) => (shownIn.get(number) ?? 0) >= 3),
    );
    expect(await deposits.list(customer)).toEqual([]);
    // Nor where such a block is final.
    await deposits.mine(6);
    await until('that said', async () =>
      errors.mock.calls.some(([, what]) => String(what).startsWith('deposits was not given')),
    );
    expect(await deposits.list(customer)).toEqual([]);
    errors.mockRestore();
    proxy.after = (_call, answer) => answer;
    await deposits.settle();
    expect([await deposits.list(customer), await deposits.balanceSun(customer)]).toEqual([[], 0n]);
  });
});
