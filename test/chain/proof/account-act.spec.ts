import { readAct } from '../../../src/chain/proof/account-act';
import { integerField, joinFields, messageField } from '../../../src/chain/proof/protobuf';

const OWNER = `41${'aa'.repeat(20)}`;
const OTHER = `41${'bb'.repeat(20)}`;
const address = (number: number, hex: string) => messageField(number, Buffer.from(hex, 'hex'));

/** protocol.Transaction.raw with one contract of this type. */
function raw(type: number, ...fields: (Buffer | null)[]): Buffer {
  const any = messageField(2, joinFields(fields)!);
  return messageField(11, joinFields([integerField(1, type), messageField(2, any)])!);
}

describe('what an account does, by the bytes of its transaction', () => {
  it.each([
    ['transfer', raw(1, address(1, OWNER), address(2, OTHER), integerField(3, 5)), OTHER, 5n],
    ['transfer', raw(2, messageField(1, Buffer.from('T')), address(2, OWNER), address(3, OTHER)), OTHER, null],
    ['vote', raw(4, address(1, OWNER)), null, null],
    ['claim', raw(13, address(1, OWNER)), null, null],
    ['contract_call', raw(30, address(1, OWNER)), null, null],
    ['contract_call', raw(31, address(1, OWNER), address(2, OTHER), integerField(3, 7)), OTHER, 7n],
    ['permission_change', raw(46, address(1, OWNER)), null, null],
    ['freezing', raw(54, address(1, OWNER), integerField(2, 9)), null, 9n],
    ['unfreezing', raw(55, address(1, OWNER), integerField(2, 9)), null, 9n],
    ['withdrawal', raw(56, address(1, OWNER)), null, null],
    ['delegation', raw(57, address(1, OWNER), integerField(3, 9), address(4, OTHER)), OTHER, 9n],
    ['undelegation', raw(58, address(1, OWNER), integerField(3, 9), address(4, OTHER)), OTHER, 9n],
    ['freezing', raw(59, address(1, OWNER)), null, null],
    // Stake of the first kind, for oneself and for another.
    ['freezing', raw(11, address(1, OWNER), integerField(2, 9)), null, 9n],
    ['delegation', raw(11, address(1, OWNER), integerField(2, 9), address(15, OTHER)), OTHER, 9n],
    ['unfreezing', raw(12, address(1, OWNER)), null, null],
    ['other', raw(0, address(1, OWNER), address(2, OTHER)), null, null],
    ['other', raw(99, address(1, OWNER)), null, null],
  ] as const)('%s', (kind, bytes, receiver, sun) => {
    expect(readAct(bytes)).toEqual({ kind, owner: OWNER, receiver, sun, isPlainEnergy: false });
  });

  const stake = (...fields: Buffer[]) => [address(1, OWNER), integerField(3, 9), address(4, OTHER), ...fields];
  it.each([
    ['energy is lent', raw(57, ...stake(integerField(2, 1)!)), true],
    ['energy is taken back', raw(58, ...stake(integerField(2, 1)!)), true],
    ['energy is lent with a lock', raw(57, ...stake(integerField(2, 1)!, integerField(5, 1)!)), false],
    ['votes are lent', raw(57, ...stake(integerField(2, 2)!)), false],
    ['bandwidth is taken back', raw(58, ...stake()), false],
    ['as much TRX is sent', raw(1, address(1, OWNER), address(2, OTHER), integerField(3, 1)), false],
  ])('%s', (_, bytes, isPlainEnergy) => {
    expect(readAct(bytes)).toMatchObject({ isPlainEnergy });
  });

  it('is nothing that bytes without a contract could be taken for', () => {
    expect(readAct(Buffer.from('ff', 'hex'))).toEqual({
      kind: 'other',
      owner: '',
      receiver: null,
      sun: null,
      isPlainEnergy: false,
    });
  });
});
