import { TronWeb, utils } from 'tronweb';
import { hashTransactions } from '../../../src/chain/proof/block-transactions';
import { readTransfer } from '../../../src/chain/proof/transfer';

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
  const [bytes] = hashTransactions([shown])!.bytes!.values();
  return readTransfer(bytes!);
}
const trx = (amount: number, ret?: object[]) =>
  read('TransferContract', { owner_address: OWNER, to_address: TO, amount }, ret);
const call = (data: string, contract = USDT, ret?: object[]) =>
  read('TriggerSmartContract', { owner_address: OWNER, contract_address: contract, data }, ret);

describe('what a transaction moves by its own bytes', () => {
  it('reads TRX, and a token by transfer and transferFrom', () => {
    expect(trx(5)).toEqual({ token: null, to: TO, amount: 5n });
    expect(call(`a9059cbb${word(TO)}${amountWord(7n)}`)).toEqual({ token: USDT, to: TO, amount: 7n });
    const from = call(`23b872dd${word(OTHER)}${word(TO)}${amountWord(8n)}`);
    expect(from).toEqual({ token: USDT, to: TO, amount: 8n });
  });

  it('names the contract, whatever the token calls itself', () => {
    expect(call(`a9059cbb${word(TO)}${amountWord(7n)}`, OTHER)).toMatchObject({ token: OTHER });
  });

  it('looks at the lower 20 bytes of the address alone, and at no bytes that trail', () => {
    const dirty = `ff${'5a'.repeat(11)}${word(TO).slice(24)}`;
    expect(call(`a9059cbb${dirty}${amountWord(7n)}`)).toEqual({ token: USDT, to: TO, amount: 7n });
    expect(call(`a9059cbb${word(TO)}${amountWord(7n)}deadbeef`)).toEqual({ token: USDT, to: TO, amount: 7n });
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

  it('reads no zero, no number that is no amount, no data that is too short, and no other call', () => {
    expect(call(`a9059cbb${word(TO)}${amountWord(0n)}`)).toBeNull();
    expect(call(`a9059cbb${word(TO)}${amountWord(2n ** 63n)}`)).toBeNull();
    expect(call(`a9059cbb${word(TO)}${amountWord(2n ** 63n - 1n)}`)).toMatchObject({ amount: 2n ** 63n - 1n });
    expect(call(`a9059cbb${word(TO)}${amountWord(7n).slice(2)}`)).toBeNull();
    expect(call(`095ea7b3${word(TO)}${amountWord(7n)}`)).toBeNull();
    expect(call('')).toBeNull();
    expect(read('FreezeBalanceV2Contract', { owner_address: OWNER, frozen_balance: 5 })).toBeNull();
  });
});
