import { readBlock } from '../../../src/chain/tron/node/block-answer';
import { wholeTransaction } from '../../../src/chain/proof/block-transactions';
import { readDelegation } from '../../../src/chain/proof/delegation-bytes';
import { recordedBlocks } from '../../support/recorded-blocks';

interface Contract {
  readonly type: string;
  readonly parameter: {
    readonly value: {
      readonly owner_address?: string;
      readonly receiver_address?: string;
      readonly balance?: number;
      readonly resource?: string;
    };
  };
}

const SUCCESS = '2a021801';
const REVERT = '2a021802';

/** Every recorded transaction as its block hashes it, with the text that the node shows beside. */
function* transactions(): Generator<{ bytes: Buffer; raw: Buffer; tail: Buffer; contract: Contract }> {
  for (const block of recordedBlocks()) {
    const { body } = readBlock(block as unknown as Record<string, unknown>);
    for (const { txID, raw_data_hex: hex, ...rest } of block.transactions ?? []) {
      const [raw, { tail }] = [Buffer.from(hex, 'hex'), body!.transactions!.inclusionOf(txID)!];
      const [contract] = (rest as unknown as { raw_data: { contract: [Contract] } }).raw_data.contract;
      yield { bytes: wholeTransaction(raw, tail), raw, tail, contract };
    }
  }
}

describe('the bytes of a transaction', () => {
  it('are read as a delegation of energy exactly when they are one, with its receiver and stake', () => {
    let [delegations, others] = [0, 0];
    for (const { bytes, raw, contract } of transactions()) {
      const { resource, balance, receiver_address: receiver } = contract.parameter.value;
      const isOne = contract.type === 'DelegateResourceContract' && resource === 'ENERGY';
      expect(readDelegation(bytes)).toEqual(isOne ? { raw, receiver, stakeSun: BigInt(balance!) } : null);
      if (isOne) delegations++;
      else others++;
    }
    expect([delegations > 50, others > 400]).toEqual([true, true]);
  });

  it('are none of energy when bandwidth was delegated', () => {
    for (const { raw, tail, contract } of transactions()) {
      if (contract.type !== 'DelegateResourceContract') continue;
      // owner_address, then field 2: 1 is energy, 0 bandwidth.
      const owner = Buffer.from(contract.parameter.value.owner_address!, 'hex');
      const at = raw.indexOf(owner) + owner.length;
      expect([raw[at], raw[at + 1]]).toEqual([0x10, 1]);
      expect(readDelegation(wholeTransaction(raw.fill(0, at + 1, at + 2), tail))).toBeNull();
    }
  });

  it('are no delegation that did anything unless the result says so, whole and once', () => {
    const isDelegation = ({ contract }: { contract: Contract }) => contract.type === 'DelegateResourceContract';
    const { raw, tail, bytes } = [...transactions()].find(isDelegation)!;
    const [signature, result] = [tail.toString('hex', 0, tail.length - 4), tail.toString('hex', tail.length - 4)];
    expect(result).toBe(SUCCESS);
    for (const ending of [REVERT, '', SUCCESS + REVERT, '2a00'])
      expect(readDelegation(wholeTransaction(raw, Buffer.from(signature + ending, 'hex')))).toBeNull();
    expect(readDelegation(wholeTransaction(Buffer.concat([raw, raw]), tail))).toBeNull();
    for (let length = 0; length < bytes.length; length++) expect(readDelegation(bytes.subarray(0, length))).toBeNull();
  });
});
