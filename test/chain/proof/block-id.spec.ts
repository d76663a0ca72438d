import { headerBytes, idOfBytes } from '../../../src/chain/proof/block-id';

/** Headers as public nodes show them: mainnet and Nile, the first version and the newest. */
const HEADERS = [
  {
    id: '0000000000000a611841e6cd79f99249d7e974e41c0f5b016eb3c64e43fcb01c',
    number: 2657,
    txTrieRoot: '0000000000000000000000000000000000000000000000000000000000000000',
    witness_address: '411661f25387370c9cd3a9a5d97e60ca90f4844e7e',
    parentHash: '0000000000000a6023d563b1a2e1e0eb49cb40226eb553e6dc006e723395d588',
    timestamp: 1529899509000,
  },
  {
    id: '0000000001d6f4a09f60c27befccff6fe3cc593b2d6c46cdc79d3fd4f55db859',
    number: 30864544,
    txTrieRoot: 'cc12586dc14ca32175ff230931dfad4e2f57b71850948edae7ef1c7a7de08881',
    witness_address: '41c81107148e5fa4b4a2edf3d5354db6c6be5b5549',
    parentHash: '0000000001d6f49f615231bdeeddd8b563c746188d5e270a58afc87b059f29de',
    version: 21,
    timestamp: 1623055923000,
  },
  {
    id: '0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e',
    number: 66987565,
    txTrieRoot: 'faf8fe3858339ead25cc892461c82a59b84dca4a51c45b026676bf3f45a352a2',
    witness_address: '41b2f713d57dbcec679d93a8849fa0cd0e4db594ba',
    parentHash: '0000000003fe262c85cd6b02033f4c3e5c1efa35de256a17bd906dc61fb1aeed',
    version: 34,
    timestamp: 1777445121000,
  },
  {
    id: '00000000051014e80dbf5923643f955ca7b09253e84c13b59f19e347fb9ea95e',
    number: 84940008,
    txTrieRoot: '5360b488069bf1f3643c8d0504052aea2e5f7a71a51901cf69ebe57e950336fa',
    witness_address: '4114f2c09d3de3fe82a71960da65d4935a30b24e1f',
    parentHash: '00000000051014e793a715af1fa52f8e4dfd1bed8aea07f41e11c9e831ef5022',
    version: 36,
    timestamp: 1785490773000,
  },
];

function idOf(raw: Record<string, unknown>): string | null {
  const bytes = headerBytes(raw);
  return bytes && idOfBytes(BigInt((raw['number'] ?? 0) as number), bytes);
}

describe('the id of a block', () => {
  it.each(HEADERS)('is computed from its header as the network does: $number', ({ id, ...raw }) => {
    expect(idOf(raw)).toBe(id);
  });

  it.each(['timestamp', 'number', 'version', 'txTrieRoot', 'parentHash', 'witness_address'] as const)(
    'is another one when its %s is another one or left out',
    (name) => {
      const { id, ...raw } = HEADERS[3]!;
      const value = raw[name]!;
      const other = typeof value === 'number' ? value + 1 : `${value.slice(0, -2)}ff`;
      expect(idOf({ ...raw, [name]: other })).not.toBe(id);
      expect(idOf({ ...raw, [name]: undefined })).not.toBe(id);
    },
  );

  it.each([
    ['a time as text', { timestamp: '1785490773000' }],
    ['a hash that is not hex', { parentHash: 'xx' }],
    ['a fraction', { version: 1.5 }],
  ])('is not computed from %s', (_name, change) => {
    const { id: _id, ...raw } = HEADERS[3]!;
    expect(idOf({ ...raw, ...change })).toBeNull();
  });
});
