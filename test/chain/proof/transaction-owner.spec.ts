import { readBlock } from '../../../src/chain/tron/node/block-answer';
import { integerField, messageField } from '../../../src/chain/proof/protobuf';
import { ownerIn } from '../../../src/chain/proof/transaction-owner';
import { recordedBlocks } from '../../support/recorded-blocks';

const OWNER = `41${'ab'.repeat(20)}`;
const OTHER = `41${'cd'.repeat(20)}`;

function rawOf(type: number, ...fields: [number: number, hex: string][]): Buffer {
  const value = Buffer.concat(fields.map(([number, hex]) => messageField(number, Buffer.from(hex, 'hex'))));
  const any = Buffer.concat([messageField(1, Buffer.from('type.googleapis.com/x')), messageField(2, value)]);
  return messageField(11, Buffer.concat([integerField(1, type)!, messageField(2, any)]));
}

describe('the owner of a transaction', () => {
  it('is the one that its bytes name, of every kind that a real chain had', () => {
    const transactions = recordedBlocks().flatMap(({ transactions: list = [] }) => list);
    const kinds = new Set<string>();
    for (const transaction of transactions) {
      const [{ type, parameter }] = (transaction['raw_data'] as { contract: [Contract] }).contract;
      kinds.add(type);
      expect(ownerIn(Buffer.from(transaction.raw_data_hex, 'hex'))).toBe(parameter.value.owner_address);
    }
    expect(kinds.size).toBeGreaterThan(4);
  });

  it('is the second field in the kinds that begin with a name', () => {
    for (const type of [2, 10, 19]) expect(ownerIn(rawOf(type, [1, '6e616d65'], [2, OWNER]))).toBe(OWNER);
    expect(ownerIn(rawOf(1, [1, OWNER], [2, OTHER]))).toBe(OWNER);
  });

  it('is empty where the bytes name none, or hold two contracts, which no network takes', () => {
    const two = Buffer.concat([rawOf(1, [1, OWNER]), rawOf(1, [1, OTHER])]);
    expect(ownerIn(two)).toBe('');
    for (const raw of ['', '08', 'ff'.repeat(20)]) expect(ownerIn(Buffer.from(raw, 'hex'))).toBe('');
  });

  it('does not depend on what a node writes besides the bytes', () => {
    const block = recordedBlocks().find(({ transactions }) => (transactions?.length ?? 0) > 1)!;
    const ownersOf = (shown: unknown) => [...readBlock(shown as Record<string, unknown>).body!.owners.values()];
    const lying = structuredClone(block);
    for (const transaction of lying.transactions!) {
      const [{ parameter }] = (transaction['raw_data'] as { contract: [Contract] }).contract;
      parameter.value.owner_address = OTHER;
    }
    expect(ownersOf(lying)).toEqual(ownersOf(block));
    expect(ownersOf(lying)).not.toContain(OTHER);
  });
});

interface Contract {
  readonly type: string;
  readonly parameter: { readonly value: { owner_address: string } };
}
