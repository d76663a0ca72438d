import { TronWeb } from 'tronweb';
import { OTHER_TOKEN_ADDRESS } from '../../local-chain/src/token/token.model';
import { PAYER_ADDRESS } from '../../local-chain/src/token/payer.program';
import { transactionRootOf } from './block-proof';
import { type Answer, type Key, TestChain, TRX, named } from './chain.fixture';

const TOKEN_HEX = TronWeb.address.toHex('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t').toLowerCase();
const ONE = 1_000_000;
const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const wordOf = (hex: string): string => hex.slice(2).padStart(64, '0');
const amountWord = (amount: bigint | number): string => amount.toString(16).padStart(64, '0');

describe('what contracts pay, and who may spend a token', () => {
  let chain: TestChain;
  beforeEach(async () => (chain = await TestChain.start()));
  afterEach(() => chain.close());

  async function read(signature: string, parameter: string, contract = TOKEN_HEX): Promise<bigint> {
    const { constant_result: result } = await chain.post('wallet/triggerconstantcontract', {
      owner_address: chain.rich.hex,
      contract_address: contract,
      function_selector: signature,
      parameter,
    });
    return BigInt(`0x${result[0]}`);
  }
  const balanceOf = (holder: Key, contract = TOKEN_HEX) => read('balanceOf(address)', wordOf(holder.hex), contract);
  const infoOf = (txid: string) => chain.post('wallet/gettransactioninfobyid', { value: txid });
  async function call(from: Key, signature: string, parameter: string, contract = TOKEN_HEX): Promise<Answer> {
    const { transaction } = await chain.post('wallet/triggersmartcontract', {
      owner_address: from.hex,
      contract_address: contract,
      function_selector: signature,
      parameter,
      fee_limit: 100 * TRX,
    });
    expect(await chain.send(transaction, from)).toMatchObject({ result: true });
    await chain.blocks();
    return infoOf(transaction.txID);
  }
  async function pay(body: Answer): Promise<{ info: Answer; block: Answer }> {
    const { txid } = await chain.control('payment', body);
    await chain.blocks();
    const info = await infoOf(txid);
    const block = await chain.post('wallet/getblockbynum', { num: info['blockNumber'] });
    expect(transactionRootOf(block)).toBe(block['block_header'].raw_data.txTrieRoot);
    expect(await chain.post('wallet/gettransactioninfobyblocknum', { num: info['blockNumber'] })).toEqual([info]);
    return { info, block };
  }

  it('lets another spend so much as its owner has allowed, and no more', async () => {
    const [spender, to] = [await chain.put('spender', 1_000), named('to')];
    const spend = (amount: number) =>
      call(
        spender,
        'transferFrom(address,address,uint256)',
        wordOf(chain.rich.hex) + wordOf(to.hex) + amountWord(amount),
      );
    expect((await spend(1))['receipt'].result).toBe('REVERT');
    const approved = await call(chain.rich, 'approve(address,uint256)', wordOf(spender.hex) + amountWord(3 * ONE));
    expect(approved).toMatchObject({ receipt: { result: 'SUCCESS' }, contractResult: [amountWord(1)] });
    const allowance = () => read('allowance(address,address)', wordOf(chain.rich.hex) + wordOf(spender.hex));
    expect(await allowance()).toBe(3_000_000n);
    const info = await spend(2 * ONE);
    expect(info).toMatchObject({ receipt: { result: 'SUCCESS' }, contractResult: [amountWord(1)] });
    expect(info['log']).toEqual([
      {
        address: TOKEN_HEX.slice(2),
        topics: [TRANSFER_TOPIC, wordOf(chain.rich.hex), wordOf(to.hex)],
        data: amountWord(2 * ONE),
      },
    ]);
    expect([await balanceOf(to), await allowance()]).toEqual([2_000_000n, 1_000_000n]);
    expect((await spend(2 * ONE))['receipt'].result).toBe('REVERT');
    expect(await balanceOf(to)).toBe(2_000_000n);
  });

  it('leaves an allowance without a limit as it is', async () => {
    const [spender, all] = [await chain.put('spender', 1_000), 2n ** 256n - 1n];
    await call(chain.rich, 'approve(address,uint256)', wordOf(spender.hex) + amountWord(all));
    const parameter = wordOf(chain.rich.hex) + wordOf(named('to').hex) + amountWord(ONE);
    await call(spender, 'transferFrom(address,address,uint256)', parameter);
    expect(await read('allowance(address,address)', wordOf(chain.rich.hex) + wordOf(spender.hex))).toBe(all);
  });

  it('has another token of the same name and symbol at another address, with balances of its own', async () => {
    const to = named('to');
    const info = await call(
      chain.rich,
      'transfer(address,uint256)',
      wordOf(to.hex) + amountWord(ONE),
      OTHER_TOKEN_ADDRESS,
    );
    expect(info).toMatchObject({ contract_address: OTHER_TOKEN_ADDRESS, receipt: { result: 'SUCCESS' } });
    expect(info['log'][0].address).toBe(OTHER_TOKEN_ADDRESS.slice(2));
    expect([await balanceOf(to), await balanceOf(to, OTHER_TOKEN_ADDRESS)]).toEqual([0n, 1_000_000n]);
    const names = async (contract: string) => (await chain.post('wallet/getcontract', { value: contract }))['name'];
    expect(await names(OTHER_TOKEN_ADDRESS)).toBe(await names(TOKEN_HEX));
    await chain.control('token', { address: to.base58, balance: 7, other: true });
    expect([await balanceOf(to), await balanceOf(to, OTHER_TOKEN_ADDRESS)]).toEqual([0n, 7n]);
  });

  it('pays TRX to many from a contract: the block shows the call alone, the node its internal calls', async () => {
    const [one, other] = [await chain.put('one', 5), named('other')];
    const payments = [
      { address: one.base58, amount: 2 * TRX },
      { address: other.base58, amount: 3 * TRX },
    ];
    const { info, block } = await pay({ asset: 'TRX', payments });
    expect(info).toMatchObject({ contract_address: PAYER_ADDRESS, receipt: { result: 'SUCCESS' } });
    const internal = (to: Key, callValue: number) => ({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      caller_address: PAYER_ADDRESS,
      transferTo_address: to.hex,
      callValueInfo: [{ callValue }],
      note: '63616c6c',
    });
    expect(info['internal_transactions']).toEqual([internal(one, 2 * TRX), internal(other, 3 * TRX)]);
    expect(info).not.toHaveProperty('log');
    expect(block['transactions'][0].raw_data.contract[0].parameter.value).toMatchObject({
      contract_address: PAYER_ADDRESS,
      call_value: 5 * TRX,
    });
    const balance = async (key: Key) => (await chain.account(key))['balance'];
    expect([await balance(one), await balance(other)]).toEqual([7 * TRX, 3 * TRX]);
  });

  it('pays a token to many from a contract, each with a log of its own', async () => {
    const [one, other] = [named('one'), named('other')];
    const payments = [one, other].map(({ base58 }, at) => ({ address: base58, amount: String((at + 1) * ONE) }));
    const { info, block } = await pay({ asset: 'USDT', payments });
    expect(info['log'].map(({ topics, data }: Answer) => [topics[2], data])).toEqual([
      [wordOf(one.hex), amountWord(ONE)],
      [wordOf(other.hex), amountWord(2 * ONE)],
    ]);
    expect(info['internal_transactions'][0]).toMatchObject({ transferTo_address: TOKEN_HEX, callValueInfo: [{}] });
    expect(block['transactions'][0].raw_data.contract[0].parameter.value.contract_address).toBe(PAYER_ADDRESS);
    expect([await balanceOf(one), await balanceOf(other)]).toEqual([1_000_000n, 2_000_000n]);
  });

  it('moves nothing where the call runs out of energy, and shows its internal calls as rejected', async () => {
    const payments = [{ address: named('one').base58, amount: TRX }];
    const { info } = await pay({ asset: 'TRX', payments, runs_out: true });
    expect(info).toMatchObject({ result: 'FAILED', receipt: { result: 'OUT_OF_ENERGY' } });
    expect(info['internal_transactions']).toMatchObject([{ rejected: true }]);
    expect(await chain.account(named('one'))).toEqual({});
  });

  it('takes no payment that makes no sense', async () => {
    await expect(chain.control('payment', { asset: 'TRX', payments: [] })).rejects.toThrow('400');
    const payments = [{ address: named('one').base58, amount: 1 }];
    await expect(chain.control('payment', { asset: 'BTC', payments })).rejects.toThrow('must be TRX, USDT or other');
  });
});
