import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TronWeb } from 'tronweb';
import { transactionRootOf } from './block-proof';
import { type Answer, type Key, TestChain, TRX, named } from './chain.fixture';

const TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const TOKEN_HEX = TronWeb.address.toHex(TOKEN).toLowerCase();
const ONE = 1_000_000;
const FEE_LIMIT = 100 * TRX;
const WORD_OF = (hex: string): string => hex.slice(2).padStart(64, '0');
const amountWord = (amount: number): string => amount.toString(16).padStart(64, '0');
const textOf = (hex: string): string => Buffer.from(hex, 'hex').toString();

describe('the token in the place of USDT', () => {
  let chain: TestChain;
  beforeEach(async () => (chain = await TestChain.start()));
  afterEach(() => chain.close());

  const transferOf = (to: Key, amount: number): Answer => ({
    function_selector: 'transfer(address,uint256)',
    parameter: WORD_OF(to.hex) + amountWord(amount),
  });
  const constant = (from: Key, call: Answer, side = 'wallet'): Promise<Answer> =>
    chain.post(`${side}/triggerconstantcontract`, { owner_address: from.hex, contract_address: TOKEN_HEX, ...call });
  async function balanceOf(holder: Key, side?: string): Promise<bigint> {
    const call = { function_selector: 'balanceOf(address)', parameter: WORD_OF(holder.hex) };
    const { constant_result: result } = await constant(holder, call, side);
    return BigInt(`0x${result[0]}`);
  }
  /** In a block, built and signed by tronweb. */
  async function transfer(from: Key, to: Key, amount: number, feeLimit = FEE_LIMIT): Promise<Answer> {
    const tronWeb = new TronWeb({ fullHost: chain.chain.url, privateKey: from.key });
    const parameters = [
      { type: 'address', value: to.base58 },
      { type: 'uint256', value: amount },
    ];
    const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
      TOKEN,
      'transfer(address,uint256)',
      { feeLimit },
      parameters,
      from.base58,
    );
    const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction));
    expect(sent.result).toBe(true);
    await chain.blocks();
    return chain.post('wallet/gettransactioninfobyid', { value: transaction.txID });
  }
  const result = (info: Answer): string => info['receipt'].result;

  it('belongs to rich, a thousand million of it with six decimals, in the solid view too', async () => {
    for (const side of ['wallet', 'walletsolidity']) expect(await balanceOf(chain.rich, side)).toBe(10n ** 15n);
    const read = async (name: string) =>
      (await constant(chain.rich, { function_selector: `${name}()` }))['constant_result'][0];
    expect(BigInt(`0x${await read('decimals')}`)).toBe(6n);
    expect(BigInt(`0x${await read('totalSupply')}`)).toBe(10n ** 15n);
    expect(textOf(await read('symbol'))).toContain('USDT');
    const account = await chain.post('wallet/getaccount', { address: TOKEN_HEX });
    expect(account['type']).toBe('Contract');
  });

  it('tells what a transfer takes: 64,285 energy to a holder, 130,285 to an empty recipient', async () => {
    const holder = named('holder');
    await chain.control('token', { address: holder.base58, balance: '1' });
    const dry = async (to: Key, amount = ONE) => constant(chain.rich, transferOf(to, amount));
    const first = await dry(named('empty'));
    expect(first).toMatchObject({ result: { result: true }, energy_used: 130_285, transaction: { ret: [{}] } });
    expect(first).not.toHaveProperty('energy_penalty');
    expect((await dry(holder))['energy_used']).toBe(64_285);
    // Nothing is stored for an amount of zero.
    expect((await dry(named('empty'), 0))['energy_used']).toBe(64_285);
    expect(await balanceOf(named('empty'))).toBe(0n);
  });

  it('answers a call that would revert as a success whose transaction alone failed', async () => {
    const poor = await chain.put('poor', 100);
    const answer = await constant(poor, transferOf(chain.rich, ONE));
    expect(answer['result']).toEqual({ result: true, message: expect.any(String) });
    expect(textOf(answer['result'].message)).toBe('REVERT opcode executed');
    expect(answer['transaction'].ret).toEqual([{ ret: 'FAILED' }]);
    expect(answer['constant_result']).toEqual(['']);
    // Also calls without a method for them, and TRX that come with a call.
    const strange = await constant(chain.rich, { function_selector: 'mint(uint256)', parameter: amountWord(1) });
    const paid = await constant(chain.rich, { ...transferOf(poor, 1), call_value: 1 });
    for (const one of [strange, paid]) expect(one['transaction'].ret).toEqual([{ ret: 'FAILED' }]);
  });

  it('moves by a signed transfer, and TRX are burned for the energy at the chain’s price', async () => {
    const sender = await chain.put('sender', 100);
    await chain.control('token', { address: sender.base58, balance: 5 * ONE });
    const info = await transfer(sender, named('empty'), 2 * ONE);
    expect(info).toMatchObject({
      contract_address: TOKEN_HEX,
      receipt: { energy_fee: 13_028_500, energy_usage_total: 130_285, result: 'SUCCESS' },
      fee: 13_028_500,
      contractResult: ['0'.repeat(64)],
    });
    expect(info['receipt']).not.toHaveProperty('energy_usage');
    expect(info['log']).toEqual([
      {
        address: TOKEN_HEX.slice(2),
        topics: [
          'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
          WORD_OF(sender.hex),
          WORD_OF(named('empty').hex),
        ],
        data: amountWord(2 * ONE),
      },
    ]);
    expect([await balanceOf(sender), await balanceOf(named('empty'))]).toEqual([3_000_000n, 2_000_000n]);
    expect((await chain.account(sender))['balance']).toBe(100 * TRX - 13_028_500);
    // Energy makes no account of its recipient.
    expect(await chain.account(named('empty'))).toEqual({});
    expect(await balanceOf(named('empty'), 'walletsolidity')).toBe(0n);
    await chain.blocks(20);
    expect(await balanceOf(named('empty'), 'walletsolidity')).toBe(2_000_000n);
  });

  it('takes lent energy first and burns only what is missing', async () => {
    const sender = await chain.put('sender', 100);
    await chain.control('token', { address: sender.base58, balance: 5 * ONE });
    await chain.must(await chain.delegate(chain.pool, sender, 10_000 * TRX), chain.pool);
    const { EnergyLimit: lent } = await chain.resources(sender);
    expect(lent).toBeGreaterThan(65_000);
    expect((await transfer(sender, chain.pool, 1))['receipt']).toMatchObject({
      energy_usage: lent,
      energy_fee: (130_285 - lent) * 100,
      energy_usage_total: 130_285,
    });
    expect((await chain.resources(sender))['EnergyUsed']).toBe(lent);
  });

  it('keeps a reverted transfer and one without enough energy in the block, paid for, and moves nothing', async () => {
    const sender = await chain.put('sender', 100);
    const reverted = await transfer(sender, named('empty'), ONE);
    expect(reverted).toMatchObject({ result: 'FAILED', receipt: { result: 'REVERT', energy_fee: expect.any(Number) } });
    expect(textOf(reverted['resMessage'])).toBe('REVERT opcode executed');

    await chain.control('token', { address: sender.base58, balance: ONE });
    const starved = await transfer(sender, named('empty'), ONE, 10 * TRX);
    expect(starved).toMatchObject({
      result: 'FAILED',
      receipt: { result: 'OUT_OF_ENERGY', energy_usage_total: 100_000, energy_fee: 10 * TRX },
    });
    expect([await balanceOf(sender), await balanceOf(named('empty'))]).toEqual([1_000_000n, 0n]);
  });

  it('stands in blocks under a root that has its result in it, whatever that was', async () => {
    const sender = await chain.put('sender', 100);
    for (const balance of [0, ONE]) {
      await chain.control('token', { address: sender.base58, balance });
      const info = await transfer(sender, named('empty'), ONE);
      const block = await chain.post('wallet/getblockbynum', { num: info['blockNumber'] });
      expect(block['transactions'][0].ret).toEqual([{ contractRet: result(info) }]);
      expect(transactionRootOf(block)).toBe(block['block_header'].raw_data.txTrieRoot);
    }
  });

  it('has balances that a fork takes back and a pending transfer shows', async () => {
    const tronWeb = new TronWeb({ fullHost: chain.chain.url, privateKey: chain.rich.key });
    const token = await tronWeb.contract().at(TOKEN);
    const txid = await token.methods['transfer']!(named('empty').base58, ONE).send({ feeLimit: FEE_LIMIT });
    expect(await balanceOf(named('empty'))).toBe(1_000_000n);
    await chain.blocks();
    const { blockNumber } = await chain.post('wallet/gettransactioninfobyid', { value: txid });
    await chain.control('fork', { from: blockNumber, keep: [] });
    expect(await balanceOf(named('empty'))).toBe(0n);
    expect(await balanceOf(chain.rich)).toBe(10n ** 15n);
  });

  it('costs more when it is much used, and the energy has the penalty in it', async () => {
    await chain.control('token', { energy_factor: 5_000 });
    const answer = await constant(chain.rich, transferOf(named('empty'), ONE));
    expect(answer).toMatchObject({ energy_used: 195_427, energy_penalty: 65_142 });
    const info = await chain.post('wallet/getcontractinfo', { value: TOKEN_HEX });
    expect(info['contract_state']).toEqual({ energy_factor: 5_000 });
    expect((await transfer(chain.rich, named('empty'), ONE))['receipt']).toMatchObject({
      energy_usage_total: 195_427,
      energy_penalty_total: 65_142,
    });
  });

  it('does not take TRX, a wrong fee limit or another contract', async () => {
    const send = async (value: Answer, feeLimit = FEE_LIMIT): Promise<string> => {
      const call = { owner_address: chain.rich.hex, contract_address: TOKEN_HEX, data: 'a9059cbb', ...value };
      const built = await chain.build('TriggerSmartContract', call, { header: { fee_limit: feeLimit } });
      return (await chain.send(built, chain.rich))['message'];
    };
    const because = (reason: string): string => `Contract validate error : ${reason}`;
    expect(await send({ contract_address: named('nobody').hex })).toBe(because('No contract or not a smart contract'));
    expect(await send({}, 15_000_000_001)).toBe(because('feeLimit must be >= 0 and <= 15000000000'));
    expect(await send({ token_id: 1_000_000 })).toBe(because('tokenId must be > 1000000'));
    const poor = await chain.put('poor', 1);
    const built = await chain.build('TriggerSmartContract', {
      owner_address: poor.hex,
      contract_address: TOKEN_HEX,
      call_value: 10 * TRX,
    });
    expect((await chain.send(built, poor))['message']).toBe(
      because('Validate InternalTransfer error, balance is not sufficient.'),
    );
  });

  it('is there all along on a chain that was kept from before it', async () => {
    const data = mkdtempSync(join(tmpdir(), 'local-chain-'));
    const first = await TestChain.start({ data });
    await first.blocks(3);
    await first.close();
    const file = new DatabaseSync(join(data, 'chain.sqlite'));
    file.exec(`DELETE FROM state WHERE key LIKE 'b%' OR key = 'a${TOKEN_HEX}'`);
    file.close();
    const again = await TestChain.start({ data });
    const call = { function_selector: 'balanceOf(address)', parameter: WORD_OF(again.rich.hex) };
    const asked = { owner_address: again.rich.hex, contract_address: TOKEN_HEX, ...call };
    for (const side of ['wallet', 'walletsolidity']) {
      const { constant_result: balance } = await again.post(`${side}/triggerconstantcontract`, asked);
      expect(BigInt(`0x${balance[0]}`)).toBe(10n ** 15n);
    }
    await again.close();
    rmSync(data, { recursive: true });
  });

  it('estimates nothing, and a node may run no constant calls at all', async () => {
    const call = { owner_address: chain.rich.hex, contract_address: TOKEN_HEX, ...transferOf(named('empty'), 1) };
    const message = async (route: string) => textOf((await chain.post(route, call))['result'].message);
    expect(await message('wallet/estimateenergy')).toBe('this node does not support estimate energy');
    await chain.control('fault', { route: 'wallet/triggerconstantcontract', kind: 'no-constant-calls', count: 1 });
    expect(await message('wallet/triggerconstantcontract')).toBe('this node does not support constant');
    expect((await constant(chain.rich, transferOf(named('empty'), 1)))['energy_used']).toBe(130_285);
  });
});
