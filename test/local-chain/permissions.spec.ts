import { TRX, TestChain, named, type Answer, type Key } from './chain.fixture';

const operations = (...bits: number[]): string => {
  const bytes = Buffer.alloc(32);
  for (const bit of bits) bytes[bit >> 3]! |= 1 << (bit & 7);
  return bytes.toString('hex');
};
const weigh = (...keys: (Key | { hex: string })[]): Answer[] => keys.map(({ hex }) => ({ address: hex, weight: 1 }));

describe('permissions', () => {
  let chain: TestChain;
  let owner: Key;
  let receiver: Key;
  const [hot, hot2, stranger] = [named('hot'), named('hot2'), named('stranger')];
  const active = (more: Answer = {}): Answer => ({
    type: 2,
    permission_name: 'energy',
    threshold: 1,
    operations: operations(57, 58),
    keys: weigh(hot),
    ...more,
  });
  const ownerPermission = (more: Answer = {}): Answer => ({
    type: 0,
    permission_name: 'owner',
    threshold: 1,
    keys: weigh(owner),
    ...more,
  });
  beforeAll(async () => {
    chain = await TestChain.start();
    owner = await chain.put('owner', 10_000, 1_000);
    receiver = await chain.put('receiver', 10);
  });
  afterAll(() => chain.close());

  const ask = async (route: string, permissionId: number, ...keys: Key[]): Promise<Answer> =>
    chain.post(
      `wallet/${route}`,
      chain.sign(await chain.delegate(owner, receiver, TRX, {}, { permissionId }), ...keys),
    );
  const update = (more: Answer): Promise<Answer> =>
    chain.post('wallet/accountpermissionupdate', {
      owner_address: owner.hex,
      owner: ownerPermission(),
      actives: [active()],
      ...more,
    });
  const error = async (more: Answer): Promise<string> =>
    String((await update(more))['Error']).replace('class org.tron.core.exception.ContractValidateException : ', '');

  it.each<[string, () => Answer]>([
    ['invalidate ownerAddress', () => ({ owner_address: '41ab' })],
    ['ownerAddress account does not exist', () => ({ owner_address: stranger.hex })],
    ['owner permission is missed', () => ({ owner: null })],
    ["account isn't witness can't set witness permission", () => ({ witness: { type: 1 }, actives: [] })],
    ['active permission is missed', () => ({ actives: [], owner: ownerPermission({ type: 2 }) })],
    ['active permission is too many', () => ({ actives: Array(9).fill(active()) })],
    ['owner permission type is error', () => ({ owner: ownerPermission({ type: 2 }) })],
    [
      'number of keys in permission should not be greater than 5',
      () => ({ owner: ownerPermission({ keys: weigh(...Array(6).fill(hot)) }) }),
    ],
    ["key's count should be greater than 0", () => ({ owner: ownerPermission({ keys: [], threshold: 0 }) })],
    [
      "permission's threshold should be greater than 0",
      () => ({ owner: ownerPermission({ threshold: 0, permission_name: 'x'.repeat(33) }) }),
    ],
    [
      "permission's name is too long",
      () => ({ owner: ownerPermission({ permission_name: 'x'.repeat(33), parent_id: 1 }) }),
    ],
    [
      "permission's parent should be owner",
      () => ({ owner: ownerPermission({ parent_id: 1, keys: weigh(hot, hot) }) }),
    ],
    ['address should be distinct in permission Owner', () => ({ owner: ownerPermission({ keys: weigh(hot, hot) }) })],
    ['key is not a validate address', () => ({ owner: ownerPermission({ keys: weigh({ hex: '41ab' }) }) })],
    [
      "key's weight should be greater than 0",
      () => ({ owner: ownerPermission({ keys: [{ address: hot.hex, weight: 0 }] }) }),
    ],
    [
      "sum of all key's weight should not be less than threshold in permission Owner",
      () => ({ owner: ownerPermission({ threshold: 2 }) }),
    ],
    ["Owner permission needn't operations", () => ({ owner: ownerPermission({ operations: operations(1) }) })],
    ['active permission type is error', () => ({ actives: [active({ type: 0 })] })],
    ['operations size must 32', () => ({ actives: [active({ operations: 'ff' })] })],
    ["7 isn't a validate ContractType", () => ({ actives: [active({ operations: operations(7, 200) })] })],
  ])('are refused with "%s", in this order', async (reason, more) => {
    expect(await error(more())).toBe(reason);
  });

  it('cost 100 TRX, and an account that has less is refused when they would be set', async () => {
    const poor = await chain.put('poor', 99);
    const value = { owner_address: poor.hex, owner: { ...ownerPermission(), keys: weigh(poor) }, actives: [active()] };
    const answer = await chain.send(await chain.build('AccountPermissionUpdateContract', value), poor);
    expect(answer).toMatchObject({
      code: 'CONTRACT_EXE_ERROR',
      message: expect.stringMatching(
        /^Contract execute error : 41\w{40} insufficient balance, balance: \d+, amount: 100000000$/,
      ),
    });
  });

  it('replace all there were, numbered from 2', async () => {
    const value = {
      owner_address: owner.hex,
      owner: ownerPermission(),
      actives: [active(), active({ permission_name: 'both', threshold: 2, keys: weigh(hot, hot2) })],
    };
    await chain.must(await chain.build('AccountPermissionUpdateContract', value), owner);
    const account = await chain.account(owner);
    expect((account['active_permission'] as Answer[]).map(({ id, permission_name: name }) => [id, name])).toEqual([
      [2, 'energy'],
      [3, 'both'],
    ]);
    const as = (permissionId: number, ...keys: Key[]): Promise<Answer> =>
      chain.delegate(owner, receiver, TRX, {}, { permissionId }).then((tx) => chain.send(tx, ...keys));
    expect(await as(2, hot)).toMatchObject({ result: true });
    expect(await as(4, hot)).toMatchObject({ message: "Validate signature error: permission isn't exit" });
    expect(await as(1, hot)).toMatchObject({ message: "Validate signature error: permission isn't exit" });
    expect(await as(3, hot)).toMatchObject({ message: 'Validate signature error: sig error' });
    expect(await as(3, hot, hot2, hot)).toMatchObject({
      message: 'Validate signature error: Signature count is 3 more than key counts of permission : 2',
    });
    expect(await as(3, hot, stranger)).toMatchObject({
      message: expect.stringContaining(`is signed by ${stranger.base58} but it is not contained of permission.`),
    });
    expect(await as(3, hot2, hot)).toMatchObject({ result: true });
    await chain.blocks();
  });

  describe('as the node weighs signatures', () => {
    it('says enough, not enough, or why not', async () => {
      expect(await ask('getsignweight', 3, hot)).toMatchObject({
        result: { code: 'NOT_ENOUGH_PERMISSION' },
        current_weight: 1,
        approved_list: [hot.hex],
        permission: { id: 3 },
      });
      expect(await ask('getsignweight', 3, hot, hot2)).toMatchObject({
        result: {},
        current_weight: 2,
        transaction: { result: { result: true }, txid: expect.any(String) },
      });
      const unsigned = await ask('getsignweight', 2);
      expect(unsigned).toMatchObject({ result: { code: 'NOT_ENOUGH_PERMISSION' } });
      expect(unsigned).not.toHaveProperty('current_weight');
      expect(await ask('getsignweight', 9, hot)).toMatchObject({
        result: { code: 'PERMISSION_ERROR', message: 'Permission for this, does not exist!' },
      });
      const transfer = chain.sign(await chain.transfer(owner, receiver, 1, { permissionId: 2 }), hot);
      expect(await chain.post('wallet/getsignweight', transfer)).toMatchObject({
        result: { code: 'PERMISSION_ERROR', message: 'Permission denied!' },
      });
    });

    it('lists all who signed, asked for or not', async () => {
      expect(await ask('getapprovedlist', 3, stranger, hot)).toMatchObject({
        result: {},
        approved_list: [stranger.hex, hot.hex],
      });
      const broken = { ...(await chain.delegate(owner, receiver, TRX)), signature: ['ab'.repeat(65)] };
      expect(await chain.post('wallet/getapprovedlist', broken)).toMatchObject({
        result: {
          code: 'COMPUTE_ADDRESS_ERROR',
          message: 'java.security.SignatureException: Header byte out of range: -58',
        },
      });
      expect(await chain.post('wallet/getsignweight', { ...broken, signature: ['ab'] })).toMatchObject({
        result: { code: 'SIGNATURE_FORMAT_ERROR', message: 'Signature size is 1' },
      });
    });
  });
});
