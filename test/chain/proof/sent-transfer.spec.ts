import { readBlock } from '../../../src/chain/tron/node/block-answer';
import { readSentTransfer } from '../../../src/chain/proof/sent-transfer';
import { recordedBlocks } from '../../support/recorded-blocks';

interface Contract {
  readonly type: string;
  readonly parameter: { readonly value: { owner_address?: string; to_address?: string; amount?: number } };
}

/** Every transaction of the real network's blocks, with what the node shows of it. */
function* transactions(): Generator<{ raw: Buffer; tail: Buffer; contract: Contract }> {
  for (const block of recordedBlocks()) {
    const { body } = readBlock(block as unknown as Record<string, unknown>);
    for (const { txID, raw_data_hex: hex, ...rest } of block.transactions ?? []) {
      const { tail } = body!.transactions!.inclusionOf(txID)!;
      const [contract] = (rest as unknown as { raw_data: { contract: [Contract] } }).raw_data.contract;
      yield { raw: Buffer.from(hex, 'hex'), tail, contract };
    }
  }
}

const all = [...transactions()];
const transfer = all.find(({ contract }) => contract.type === 'TransferContract')!;
const SUCCESS = '2a021801';
const tailWith = (result: string): Buffer => {
  const hex = transfer.tail.toString('hex');
  if (!hex.endsWith(SUCCESS)) throw new Error(`another result: ${hex}`);
  return Buffer.from(hex.slice(0, -SUCCESS.length) + result, 'hex');
};

describe('a transfer by the bytes of its block', () => {
  it('is one of TRX exactly where the chain has one, with sender, receiver and amount', () => {
    let transfers = 0;
    for (const { raw, tail, contract } of all) {
      const { owner_address: from, to_address: to, amount } = contract.parameter.value;
      const isOne = contract.type === 'TransferContract';
      const read = readSentTransfer(raw, tail);
      expect(read).toEqual(isOne ? { from, to, sun: BigInt(amount!) } : 'no-transfer');
      if (isOne) transfers++;
    }
    expect(transfers).toBeGreaterThan(10);
    expect(transfers).toBeLessThan(all.length);
  });

  it.each([
    ['REVERT', '2a021802'],
    ['OUT_OF_TIME', '2a02180b'],
    ['no result', ''],
    ['DEFAULT', '2a021800'],
    ['a result without contractRet', '2a020801'],
    ['two results, the second one successful', '2a0218022a021801'],
    ['two results, the first one successful', '2a0218012a021802'],
    ['a result with two values, the last one successful', '2a0418021801'],
    ['a failed transaction whose contract succeeded', '2a0410011801'],
  ])('did not succeed with %s', (_, result) => {
    expect(readSentTransfer(transfer.raw, tailWith(result))).toBe('failed');
  });

  it('did succeed with a fee beside the result, and where the code says so too', () => {
    const read = readSentTransfer(transfer.raw, transfer.tail);
    expect(read).toMatchObject({ to: transfer.contract.parameter.value.to_address });
    for (const result of ['2a0408071801', '2a0410001801'])
      expect(readSentTransfer(transfer.raw, tailWith(result))).toEqual(read);
  });

  it('is none where an amount stands twice', () => {
    const { raw, contract } = transfer;
    const owner = Buffer.from(contract.parameter.value.owner_address!, 'hex');
    const at = raw.indexOf(owner) + owner.length;
    // The tag of the receiver becomes the owner's: the owner stands twice, the receiver nowhere.
    expect(raw[at]).toBe(0x12);
    expect(readSentTransfer(Buffer.from(raw).fill(0x0a, at, at + 1), transfer.tail)).toBe('no-transfer');
  });
});
