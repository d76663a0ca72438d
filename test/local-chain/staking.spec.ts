import { TRX, TestChain, type Answer, type Built, type Key } from './chain.fixture';

const DAY_MS = 86_400_000;
const CONTRACT_ERROR = 'class org.tron.core.exception.ContractValidateException : ';

describe('staking', () => {
  let chain: TestChain;
  let owner: Key;
  beforeAll(async () => {
    chain = await TestChain.start();
    owner = await chain.put('staker', 1_000);
  });
  afterAll(() => chain.close());

  const contract = (type: string, more: Answer = {}): Promise<Built> =>
    chain.build(type, { owner_address: owner.hex, ...more });
  const unfreeze = (trx: number, resource = 'ENERGY'): Promise<Built> =>
    contract('UnfreezeBalanceV2Contract', { unfreeze_balance: trx * TRX, resource });
  const weight = async (): Promise<number> => (await chain.resources(owner))['TotalEnergyWeight'] as number;
  const pass = async (ms: number): Promise<void> => {
    await chain.control('clock', { ms });
    await chain.blocks();
  };
  const message = async (tx: Promise<Built>): Promise<string> =>
    (await chain.send(await tx, owner))['message'] as string;

  it('gives the pool as much bandwidth as its stake was asked to be, of one network', async () => {
    for (const bandwidthStakeTrx of [0, 400]) {
      const other = await TestChain.start({ bandwidthStakeTrx });
      const { NetLimit = 0, TotalNetWeight } = await other.resources(other.pool);
      const frozen = (await other.account(other.pool))['frozenV2'] as Answer[];
      expect([NetLimit > 0, TotalNetWeight, frozen[0]!['amount'] ?? 0]).toEqual([
        bandwidthStakeTrx > 0,
        27_000_000_000,
        bandwidthStakeTrx * TRX,
      ]);
      await other.close();
    }
  });

  it('moves the network by whole TRX, and the balance by every sun', async () => {
    const before = await weight();
    await chain.must(
      await contract('FreezeBalanceV2Contract', { frozen_balance: 100 * TRX + 1, resource: 'ENERGY' }),
      owner,
    );
    expect((await weight()) - before).toBe(100);
    expect((await chain.account(owner))['frozenV2'][1]).toEqual({ type: 'ENERGY', amount: 100 * TRX + 1 });
  });

  it('gives unfrozen stake back after 14 days, and only then', async () => {
    await chain.must(await unfreeze(40), owner);
    const [entry] = (await chain.account(owner))['unfrozenV2'] as Answer[];
    expect(entry).toMatchObject({ type: 'ENERGY', unfreeze_amount: 40 * TRX });
    expect(await message(contract('WithdrawExpireUnfreezeContract'))).toBe(
      'Contract validate error : no unFreeze balance to withdraw ',
    );
    await pass(14 * DAY_MS);
    expect(await chain.post('wallet/getcanwithdrawunfreezeamount', { owner_address: owner.hex })).toEqual({
      amount: 40 * TRX,
    });
    const before = (await chain.account(owner))['balance'] as number;
    const tx = await chain.must(await contract('WithdrawExpireUnfreezeContract'), owner);
    expect(await chain.info(tx)).toMatchObject({ withdraw_expire_amount: 40 * TRX });
    expect((await chain.account(owner))['balance']).toBe(before + 40 * TRX);
  });

  it('takes all that waits back into the stake, and pays out what has waited long enough', async () => {
    expect(await message(contract('CancelAllUnfreezeV2Contract'))).toBe(
      'Contract validate error : No unfreezeV2 list to cancel',
    );
    await chain.must(await unfreeze(10), owner);
    await pass(14 * DAY_MS);
    await chain.must(
      await contract('FreezeBalanceV2Contract', { frozen_balance: 5 * TRX, resource: 'BANDWIDTH' }),
      owner,
    );
    const later = await contract('UnfreezeBalanceV2Contract', { unfreeze_balance: 2 * TRX, resource: 'BANDWIDTH' });
    await chain.must(later, owner);
    expect((await chain.info(later))['withdraw_expire_amount']).toBe(10 * TRX);
    await chain.must(await unfreeze(3), owner);
    const tx = await chain.must(await contract('CancelAllUnfreezeV2Contract'), owner);
    expect((await chain.info(tx))['cancel_unfreezeV2_amount']).toEqual([
      { key: 'ENERGY', value: 3 * TRX },
      { key: 'TRON_POWER', value: 0 },
      { key: 'BANDWIDTH', value: 2 * TRX },
    ]);
    const account = await chain.account(owner);
    expect(account['unfrozenV2']).toBeUndefined();
    expect(account['frozenV2']).toEqual([
      { amount: 5 * TRX },
      { type: 'ENERGY', amount: 50 * TRX + 1 },
      { type: 'TRON_POWER' },
    ]);
  });

  it('lets 32 unfreezings wait together', async () => {
    for (let i = 0; i < 32; i++)
      expect(
        await chain.send(
          await contract('UnfreezeBalanceV2Contract', { unfreeze_balance: i + 1, resource: 'ENERGY' }),
          owner,
        ),
      ).toMatchObject({ result: true });
    await chain.blocks();
    expect(await chain.post('wallet/getavailableunfreezecount', { owner_address: owner.hex })).toEqual({});
    expect(await message(contract('UnfreezeBalanceV2Contract', { unfreeze_balance: 100, resource: 'ENERGY' }))).toBe(
      'Contract validate error : Invalid unfreeze operation, unfreezing times is over limit',
    );
  });

  it.each([
    ['FreezeBalanceV2Contract', { frozen_balance: 0, resource: 'ENERGY' }, 'frozenBalance must be positive'],
    [
      'FreezeBalanceV2Contract',
      { frozen_balance: TRX, resource: 'TRON_POWER' },
      'ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]',
    ],
    [
      'UnfreezeBalanceV2Contract',
      { unfreeze_balance: 0, resource: 'ENERGY' },
      'Invalid unfreeze_balance, [0] is error',
    ],
    [
      'UnfreezeBalanceV2Contract',
      { unfreeze_balance: 1, resource: 'TRON_POWER' },
      'ResourceCode error.valid ResourceCode[BANDWIDTH、Energy]',
    ],
  ])('%s with %j: %s', async (type, value, reason) => {
    expect(await message(contract(type, value))).toBe(`Contract validate error : ${reason}`);
  });

  it('of the first kind is closed, and tronweb that still builds it is refused', async () => {
    const old = (more: Answer): Promise<Built> =>
      contract('FreezeBalanceContract', { frozen_balance: TRX, frozen_duration: 3, resource: 'ENERGY', ...more });
    expect(await message(old({}))).toBe('Contract validate error : freeze v2 is open, old freeze is closed');
    expect(await message(old({ frozen_balance: 0 }))).toBe('Contract validate error : frozenBalance must be positive');
    expect(await message(contract('UnfreezeBalanceContract', { resource: 'ENERGY' }))).toBe(
      'Contract validate error : no frozenBalance(Energy)',
    );
  });

  it('names what an account has nothing of', async () => {
    const bare = await chain.put('bare', 10);
    const builder = (body: Answer): Promise<Answer> =>
      chain.post('wallet/unfreezebalancev2', { owner_address: bare.hex, unfreeze_balance: 1, ...body });
    expect(await builder({ resource: 'ENERGY' })).toEqual({ Error: `${CONTRACT_ERROR}no frozenBalance(Energy)` });
    expect(await builder({ resource: 'BANDWIDTH' })).toEqual({ Error: `${CONTRACT_ERROR}no frozenBalance(BANDWIDTH)` });
    expect(await builder({ resource: 'ENERGY', owner_address: `41${'11'.repeat(20)}` })).toEqual({
      Error: `${CONTRACT_ERROR}Account[41${'11'.repeat(20)}] does not exist`,
    });
  });
});
