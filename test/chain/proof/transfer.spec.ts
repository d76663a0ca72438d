import { TronWeb, utils } from 'tronweb';
import { hashTransactions, rawTransaction } from '../../../src/chain/proof/block-transactions';
import { readTransfer } from '../../../src/chain/proof/transfer';
import { readBlock } from '../../../src/chain/tron/node/block-answer';
import { recordedBlocks } from '../../support/recorded-blocks';

const [OWNER, TO, OTHER] = ['11', '22', '33'].map((byte) => `41${byte.repeat(20)}`) as [string, string, string];
const USDT = TronWeb.address.toHex('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t').toLowerCase();
const word = (hex: string) => hex.replace(/^41(?=.{40}$)/, '').padStart(64, '0');
const amountWord = (amount: bigint) => amount.toString(16).padStart(64, '0');

/** As a block shows it, read by its bytes. */
function read(type: string, value: object, ret: object[] = [{ contractRet: 'SUCCESS' }]) {
  const contract = { parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type };
  const raw = {
    contract: [contract],
    ref_block_bytes: '0001',
    ref_block_hash: 'a'.repeat(16),
    expiration: 2,
    timestamp: 1,
  };
  const pb = utils.transaction.txJsonToPb({ visible: false, txID: '', raw_data: raw, raw_data_hex: '' });
  const shown = {
    raw_data_hex: utils.transaction.txPbToRawDataHex(pb).toLowerCase(),
    signature: ['ab'.repeat(65)],
    ret,
  };
  const [bytes] = hashTransactions([shown])!.bytes.values();
  return readTransfer(bytes!);
}
const trx = (amount: number, ret?: object[]) =>
  read('TransferContract', { owner_address: OWNER, to_address: TO, amount }, ret);
const call = (data: string, contract = USDT, ret?: object[]) =>
  read('TriggerSmartContract', { owner_address: OWNER, contract_address: contract, data }, ret);

describe('what a transaction moves by its own bytes', () => {
  it('reads TRX, and a token by transfer and transferFrom', () => {
    expect(trx(5)).toEqual({ token: null, owner: OWNER, to: TO, amount: 5n });
    expect(call(`a9059cbb${word(TO)}${amountWord(7n)}`)).toEqual({ token: USDT, owner: OWNER, to: TO, amount: 7n });
    const from = call(`23b872dd${word(OTHER)}${word(TO)}${amountWord(8n)}`);
    expect(from).toEqual({ token: USDT, owner: OWNER, to: TO, amount: 8n });
  });

  it('names the contract, whatever the token calls itself', () => {
    expect(call(`a9059cbb${word(TO)}${amountWord(7n)}`, OTHER)).toMatchObject({ token: OTHER });
  });

  it('looks at the lower 20 bytes of the address alone, and at no bytes that trail', () => {
    const dirty = `ff${'5a'.repeat(11)}${word(TO).slice(24)}`;
    expect(call(`a9059cbb${dirty}${amountWord(7n)}`)).toEqual({ token: USDT, owner: OWNER, to: TO, amount: 7n });
    expect(call(`a9059cbb${word(TO)}${amountWord(7n)}deadbeef`)).toEqual({
      token: USDT,
      owner: OWNER,
      to: TO,
      amount: 7n,
    });
  });

  it.each(['REVERT', 'OUT_OF_ENERGY', 'DEFAULT', 'UNKNOWN', 'TRANSFER_FAILED'])(
    'reads nothing that ended as %s',
    (contractRet) => {
      expect(call(`a9059cbb${word(TO)}${amountWord(7n)}`, USDT, [{ contractRet }])).toBeNull();
      expect(trx(5, [{ contractRet }])).toBeNull();
    },
  );

  it('reads nothing without one clear result', () => {
    for (const ret of [
      [],
      [{}],
      [{ contractRet: 'SUCCESS' }, { contractRet: 'SUCCESS' }],
      [{ contractRet: 'SUCCESS', ret: 'FAILED' }],
    ])
      expect(trx(5, ret)).toBeNull();
  });

  it('reads no zero, no number that exceeds all amounts, no data that is too short, and no other call', () => {
    expect(call(`a9059cbb${word(TO)}${amountWord(0n)}`)).toBeNull();
    expect(call(`a9059cbb${word(TO)}${amountWord(2n ** 63n)}`)).toBeNull();
    expect(call(`a9059cbb${word(TO)}${amountWord(2n ** 63n - 1n)}`)).toMatchObject({ amount: 2n ** 63n - 1n });
    expect(call(`a9059cbb${word(TO)}${amountWord(7n).slice(2)}`)).toBeNull();
    expect(call(`095ea7b3${word(TO)}${amountWord(7n)}`)).toBeNull();
    expect(call('')).toBeNull();
    expect(read('FreezeBalanceV2Contract', { owner_address: OWNER, frozen_balance: 5 })).toBeNull();
  });
});

interface Shown {
  readonly type: string;
  readonly parameter: { readonly value: { owner_address?: string; to_address?: string; amount?: number } };
}

/** Every transaction of the real network's blocks, with what the node shows of it. */
function recorded() {
  return recordedBlocks().flatMap((block) => {
    const { body } = readBlock(block as unknown as Record<string, unknown>);
    return (block.transactions ?? []).map(({ txID, raw_data_hex: hex, ...rest }) => {
      const { tail } = body!.transactions!.inclusionOf(txID)!;
      const [shown] = (rest as unknown as { raw_data: { contract: [Shown] } }).raw_data.contract;
      return { ...rawTransaction(Buffer.from(hex, 'hex'), tail), shown };
    });
  });
}

describe("a transfer in the real network's blocks", () => {
  const all = recorded();
  const isOne = ({ shown }: (typeof all)[number]) => shown.type === 'TransferContract';
  const one = all.find(isOne)!;
  const SUCCEEDED = '2a021801';
  const withResult = (result: string) => {
    const hex = one.tail.toString('hex');
    expect(hex.endsWith(SUCCEEDED)).toBe(true);
    return readTransfer({ ...one, tail: Buffer.from(hex.slice(0, -SUCCEEDED.length) + result, 'hex') });
  };

  it('is one of TRX exactly where the chain has one, with sender, receiver and amount', () => {
    const found = all
      .map((transaction) => readTransfer(transaction))
      .map((transfer) => (transfer?.token === null ? transfer : null));
    const shown = all.map((transaction) => {
      const { owner_address: owner, to_address: to, amount } = transaction.shown.parameter.value;
      return isOne(transaction) ? { token: null, owner, to, amount: BigInt(amount!) } : null;
    });
    expect(found).toEqual(shown);
    expect(all.filter(isOne).length).toBeGreaterThan(10);
  });

  it.each([
    ['REVERT', '2a021802'],
    ['OUT_OF_TIME', '2a02180b'],
    ['no result', ''],
    ['DEFAULT', '2a021800'],
    ['a result without contractRet', '2a020801'],
    ['two results, the second one successful', '2a0218022a021801'],
    ['two results, the first one successful', '2a0218012a021802'],
    ['a failed transaction whose contract succeeded', '2a0410011801'],
  ])('did not succeed with %s', (_, result) => {
    expect(withResult(result)).toBeNull();
  });

  it('did succeed with a fee beside the result, and where the code says so too', () => {
    for (const result of ['2a0408071801', '2a0410001801']) expect(withResult(result)).toEqual(readTransfer(one));
  });
});
