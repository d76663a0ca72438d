import { TRX, TestChain, named, until, type Answer, type Key } from './chain.fixture';

const SLOT_MS = 3_000;
const HOUR_MS = 3_600_000;

describe('delegations', () => {
  let chain: TestChain;
  let owner: Key;
  let receiver: Key;
  beforeEach(async () => {
    chain = await TestChain.start();
    owner = await chain.put('owner', 2_000, 100_000);
    receiver = await chain.put('receiver', 10);
    await chain.control('weight', { energy_trx: '19000000000' });
  });
  afterEach(() => chain.close());

  const records = async (): Promise<Answer[]> =>
    ((await chain.post('wallet/getdelegatedresourcev2', { fromAddress: owner.hex, toAddress: receiver.hex }))[
      'delegatedResource'
    ] ?? []) as Answer[];
  const refusal = async (tx: Promise<Parameters<TestChain['send']>[0]>): Promise<string> =>
    String((await chain.send(await tx, owner))['message']);

  it('return used energy to the owner with the stake, as the formula has it', async () => {
    const sun = 6_861_111_113;
    await chain.must(await chain.delegate(owner, receiver, sun), owner);
    expect((await chain.resources(receiver))['EnergyLimit']).toBe(65_000);
    // The use counts from its parent's slot: both in one slot, whatever the wall clock says.
    const slot = (Math.floor(((await chain.head())['timestamp'] as number) / SLOT_MS) + 1) * SLOT_MS;
    await chain.control('block', { timestamp: slot });
    const spent = chain.control('spend-energy', { address: receiver.base58, energy: '65000' });
    await until(async () => (await chain.resources(receiver))['EnergyUsed'] === 65_000);
    const used = slot + 1_000;
    await chain.control('block', { timestamp: used });
    expect(await spent).toEqual({ energy_usage: 65_000, energy_fee: 0 });
    await chain.control('block', { timestamp: used + HOUR_MS });
    await chain.must(await chain.undelegate(owner, receiver, sun), owner);
    expect((await chain.resources(owner))['EnergyUsed']).toBe(62_291);
    expect((await chain.account(owner))['account_resource'].energy_window_size).toBe(27_600_000);
    expect(await chain.post('wallet/getcandelegatedmaxsize', { owner_address: owner.hex, type: 1 })).toEqual({
      max_size: 93_424_838_889,
    });
  });

  it('locked: show no empty unlocked record beside them when more is locked, of this resource or of the other', async () => {
    const lock = (sun: number, resource?: string) =>
      chain.delegate(owner, receiver, sun, { lock: true, lock_period: 1_200, ...(resource && { resource }) });
    await chain.must(await lock(10 * TRX), owner);
    await chain.must(await lock(5 * TRX), owner);
    const locked = { frozen_balance_for_energy: 15 * TRX, expire_time_for_energy: expect.any(Number) as number };
    expect(await records()).toEqual([{ from: owner.hex, to: receiver.hex, ...locked }]);
    await chain.must(await chain.delegate(owner, receiver, 2 * TRX), owner);
    await chain.must(await chain.undelegate(owner, receiver, 2 * TRX), owner);
    expect(await records()).toEqual([{ from: owner.hex, to: receiver.hex, ...locked }]);
  });

  it('locked: cannot be taken back before their time, and can as soon as it is past', async () => {
    await chain.must(await chain.delegate(owner, receiver, 10 * TRX, { lock: true, lock_period: 1_200 }), owner);
    expect(await refusal(chain.undelegate(owner, receiver, TRX))).toMatch(
      /insufficient delegateFrozenBalance\(Energy\), request=1000000, unlock_balance=0$/,
    );
    const { expire_time_for_energy: expires } = (await records())[0]!;
    const index = await chain.post('wallet/getdelegatedresourceaccountindexv2', { value: owner.hex });
    expect(index['toAccounts']).toEqual([receiver.hex]);
    await chain.control('block', { timestamp: expires });
    expect(await refusal(chain.undelegate(owner, receiver, TRX))).toMatch(/unlock_balance=0$/);
    await chain.control('block', { timestamp: expires + 1 });
    await chain.must(await chain.undelegate(owner, receiver, 4 * TRX), owner);
    expect(await records()).toEqual([{ from: owner.hex, to: receiver.hex, frozen_balance_for_energy: 6 * TRX }]);
  });

  it('locked again: the whole locked record waits for the new time', async () => {
    await chain.must(await chain.delegate(owner, receiver, 10 * TRX, { lock: true, lock_period: 100 }), owner);
    const first = (await records())[0]!['expire_time_for_energy'] as number;
    await chain.must(await chain.delegate(owner, receiver, 5 * TRX, { lock: true }), owner);
    const locked = (await records()).find((record) => record['expire_time_for_energy'])!;
    expect(locked['frozen_balance_for_energy']).toBe(15 * TRX);
    expect(locked['expire_time_for_energy']).toBeGreaterThan(first + 2 * 24 * HOUR_MS);
  });

  it('of bandwidth: the same, by bandwidth', async () => {
    await chain.must(
      await chain.build('FreezeBalanceV2Contract', {
        owner_address: owner.hex,
        frozen_balance: 1_000 * TRX,
        resource: 'BANDWIDTH',
      }),
      owner,
    );
    const maximum = (await chain.post('wallet/getcandelegatedmaxsize', { owner_address: owner.hex, type: 0 }))[
      'max_size'
    ] as number;
    expect(maximum).toBeLessThan(1_000 * TRX);
    await chain.must(await chain.delegate(owner, receiver, 100 * TRX, { resource: 'BANDWIDTH' }), owner);
    expect(await chain.account(receiver)).toMatchObject({
      acquired_delegated_frozenV2_balance_for_bandwidth: 100 * TRX,
    });
    expect((await chain.resources(receiver))['NetLimit']).toBe(Math.trunc(100 * (43_200_000_000 / 27_000_001_000)));
    expect(await refusal(chain.undelegate(owner, receiver, TRX))).toMatch(
      /Energy\), request=1000000, unlock_balance=0$/,
    );
    await chain.must(await chain.undelegate(owner, receiver, 100 * TRX, { resource: 'BANDWIDTH' }), owner);
    expect(await records()).toEqual([]);
  });

  it('to a contract are refused, after all other checks', async () => {
    const contract = named('contract');
    await chain.control('account', { address: contract.base58, type: 'Contract', balance_sun: 0 });
    expect(await chain.account(contract)).toMatchObject({ type: 'Contract' });
    expect(await refusal(chain.delegate(owner, contract, TRX))).toMatch(
      /Do not allow delegate resources to contract addresses$/,
    );
    expect(await refusal(chain.delegate(owner, contract, TRX, { lock: true, lock_period: 864_001 }))).toMatch(
      /cannot exceed 864000!$/,
    );
    expect(await refusal(chain.transfer(owner, contract, 1))).toMatch(/Cannot transfer TRX to a smartContract\.$/);
  });
});
