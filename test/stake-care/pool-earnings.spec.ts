import { v7 as uuid } from 'uuid';
import { CloseOrderDays } from '../../src/reporting/reports/close-order-days';
import { PoolEarnings, type WalletStakeEarnings } from '../../src/stake-care/pool-earnings';
import { insertUser } from '../support/factories';
import { breaksTheLedger } from '../support/ledger-consistency';
import { createTestApp, type TestApp } from '../support/test-app';

// Orders for their figures alone, without holds.
breaksTheLedger();

const DAY_MS = 86_400_000;
const dayAgo = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);
const TRX = 1_000_000n;

interface PastOrder {
  readonly wallet: string;
  readonly ago: number;
  readonly trx?: number;
  /** What it took of the wallet's stake. */
  readonly lentTrx: number;
  readonly state?: string;
  readonly answer?: 'success' | 'failure';
  readonly paidBy?: 'balance' | 'subscription';
}

describe('what the stake of the pool has earned', () => {
  let service: TestApp;
  let user: string;
  const run = (text: string, values: unknown[] = []) => service.sql.execute({ name: '', text }, values as never);
  const close = () => service.app.get(CloseOrderDays).run(Date.now());
  /** The ten days before today. */
  const read = () => service.app.get(PoolEarnings).read({ from: dayAgo(10), to: dayAgo(0) });
  const walletOf = async (name: string) => (await read()).wallets.find((one) => one.name === name)!;

  async function wallet(name: string, createdAt: string, stakeTrx: number, state = 'active'): Promise<string> {
    const id = uuid();
    await run(
      `insert into pool_wallets (id, name, address, role, key_source, stake_sun, state, created_at)
       values ($1, $2, $2, 'delegate', 'env:NONE', $3, $4, $5)`,
      [id, name, BigInt(stakeTrx) * TRX, state, createdAt],
    );
    return id;
  }

  async function order({ wallet: walletId, ago, trx = 0, lentTrx, ...more }: PastOrder): Promise<string> {
    const id = uuid();
    await run(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
         paid_by, answer, created_at)
       values ($1, $2, 'T', '1', 65000, 10, false, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        user,
        more.state ?? 'reclaimed',
        walletId,
        BigInt(lentTrx) * TRX,
        BigInt(trx) * TRX,
        more.paidBy ?? 'balance',
        more.answer ?? 'success',
        `${dayAgo(ago)}T06:00:00Z`,
      ],
    );
    return id;
  }

  const reward = (walletId: string, ago: number, trx: number) =>
    run('insert into stake_rewards (wallet_id, day, claimed_sun) values ($1, $2, $3)', [
      walletId,
      dayAgo(ago),
      BigInt(trx) * TRX,
    ]);

  /** The figures of a wallet that have nothing to do with its name. */
  const figures = ({ id, name, address, ...rest }: WalletStakeEarnings) => {
    expect([id, name, address].every((text) => text.length > 0)).toBe(true);
    return rest;
  };

  beforeEach(async () => {
    service = await createTestApp({ backgroundWork: false });
    user = await insertUser(service.orm, { email: 'ann@example.com', balance: 1 });
  });
  afterEach(() => service.close());

  it('is not known without a wallet, and nothing where no order came and no reward was claimed', async () => {
    expect(await read()).toMatchObject({ wallets: [], all: { yield: null, stakedSun: 0n }, votesBy: null });
    await wallet('main', `${dayAgo(40)}T00:00:00Z`, 1_000_000);
    expect(figures(await walletOf('main'))).toEqual({
      state: 'active',
      stakedSun: 1_000_000n * TRX,
      stakedSunDays: 10_000_000n * TRX,
      orders: 0n,
      broughtSun: 0n,
      rewardSun: 0n,
      ordersYield: 0n,
      rewardsYield: 0n,
      yield: 0n,
      lentSun: 0n,
      idleSun: 1_000_000n * TRX,
      // No vote has brought anything yet, and no witness was read.
      idleVotesSun: null,
    });
  });

  it('is not known for a wallet without stake, and has nothing to say of the days before a wallet was added', async () => {
    const empty = await wallet('empty', `${dayAgo(40)}T00:00:00Z`, 0);
    await order({ wallet: empty, ago: 3, trx: 3, lentTrx: 6_000 });
    expect(await walletOf('empty')).toMatchObject({
      yield: null,
      ordersYield: null,
      broughtSun: 3n * TRX,
      idleSun: 0n,
    });
    const added = await wallet('added', `${dayAgo(4)}T12:00:00Z`, 200_000);
    await order({ wallet: added, ago: 2, trx: 100, lentTrx: 70_000 });
    // In 3.5 days: 200,000 TRX are 700,000 for a day; 100 TRX of them in a year are 100 × 365 ÷ 700,000 = 5.214 %.
    expect(await walletOf('added')).toMatchObject({
      stakedSun: 200_000n * TRX,
      stakedSunDays: 700_000n * TRX,
      yield: 521n,
      lentSun: 70_000n * TRX,
      idleSun: 180_000n * TRX,
    });
    await run(`update pool_wallets set removed_at = $2, state = 'draining' where id = $1`, [
      added,
      `${dayAgo(2)}T12:00:00Z`,
    ]);
    expect(await walletOf('added')).toMatchObject({ state: null, stakedSunDays: 400_000n * TRX });
  });

  describe('of a wallet that sells, and a paused one', () => {
    let main: string;
    let paused: string;
    beforeEach(async () => {
      main = await wallet('main', `${dayAgo(40)}T00:00:00Z`, 1_000_000);
      paused = await wallet('paused', `${dayAgo(40)}T00:00:00Z`, 500_000, 'paused');
      for (const ago of [1, 2, 3, 4, 10]) await order({ wallet: main, ago, trx: 200, lentTrx: 200_000 });
      // Outside of the range, answered with a failure, and not settled.
      for (const ago of [0, 11]) await order({ wallet: main, ago, trx: 7, lentTrx: 1 });
      await order({ wallet: main, ago: 5, trx: 7, lentTrx: 1, state: 'taken_back', answer: 'failure' });
      await order({ wallet: main, ago: 5, trx: 7, lentTrx: 1, state: 'sent' });
      // By a quota whose price is not known: at the list price of 3 TRX.
      await order({ wallet: paused, ago: 9, lentTrx: 6_000, paidBy: 'subscription' });
      await reward(main, 1, 300);
      await reward(main, 10, 200);
      await reward(main, 0, 1_000);
      await reward(main, 11, 1_000);
    });

    const EXPECTED = {
      // 1,000 and 500 TRX of 10,000,000 for a day: 3.65 % and 1.825 %; of all of it a tenth was lent.
      main: {
        broughtSun: 1_000n * TRX,
        rewardSun: 500n * TRX,
        ordersYield: 365n,
        rewardsYield: 182n,
        yield: 547n,
        lentSun: 1_000_000n * TRX,
        idleSun: 900_000n * TRX,
        // 900,000 TRX at 1.82 %.
        idleVotesSun: 16_380n * TRX,
      },
      // 3 TRX of 5,000,000 for a day; idle are 4,994,000 ÷ 10, at what the whole pool's votes bring: 500 × 365 ÷ 15,000,000 = 1.21 %.
      paused: {
        state: 'paused',
        broughtSun: 3n * TRX,
        rewardSun: 0n,
        ordersYield: 2n,
        rewardsYield: 0n,
        yield: 2n,
        lentSun: 6_000n * TRX,
        idleSun: 499_400n * TRX,
        idleVotesSun: 6_042_740_000n,
      },
      all: {
        stakedSun: 1_500_000n * TRX,
        orders: 6n,
        broughtSun: 1_003n * TRX,
        rewardSun: 500n * TRX,
        // 1,003, 500 and 1,503 × 365 ÷ 15,000,000.
        ordersYield: 244n,
        rewardsYield: 121n,
        yield: 365n,
        lentSun: 1_006_000n * TRX,
        idleSun: 1_399_400n * TRX,
      },
    };

    it('counts charged orders and claimed rewards by the day, before the days are closed as after it', async () => {
      const open = await read();
      expect(open.wallets.map(({ name }) => name)).toEqual(['main', 'paused']);
      expect(open.wallets[0]).toMatchObject(EXPECTED.main);
      expect(open.wallets[1]).toMatchObject(EXPECTED.paused);
      expect(open.all).toMatchObject(EXPECTED.all);
      expect(open.votesBy).toBe('claims');
      expect(await close()).toBeGreaterThan(8);
      expect(await read()).toEqual(open);
    });

    it('adds an order to its closed day once it is settled, and keeps the stake that each closed day had', async () => {
      await close();
      await run(`update delegations set state = 'reclaimed' where state = 'sent'`);
      const late = { broughtSun: 1_007n * TRX, lentSun: 1_000_001n * TRX };
      expect(await walletOf('main')).toMatchObject({ ...late, stakedSunDays: 10_000_000n * TRX });
      await close();
      await run(`update pool_wallets set stake_sun = 7`);
      // The stake of yesterday is the new one while the day is not closed yet.
      const [{ days }] = (await service.sql.rows<unknown[], { days: bigint }>(
        { name: 'test_closed_days', text: 'select count(*) as days from closed_order_days where day >= $1::date' },
        [dayAgo(10)],
      )) as [{ days: bigint }];
      const stakedSunDays = days * 1_000_000n * TRX + (10n - days) * 7n;
      expect(await walletOf('main')).toMatchObject({ ...late, stakedSunDays });
    });
  });

  it('says what idle stake brings by the network’s rule for the best witness, where nothing was claimed', async () => {
    await wallet('main', `${dayAgo(40)}T00:00:00Z`, 1_000_000);
    const reading = (address: string, period: number, made: number) =>
      run(
        `insert into stake_witnesses (address, period, read_at, read_ms, url, rank, keeps_percent, votes, votes_of_paid, made_blocks, all_blocks,
           block_pay_sun, vote_pay_sun)
         values ($1, $2, now(), $3, '', 1, 0, 1000, 1000000000, $4, 0, 8000000, 0)`,
        [address, period, BigInt(period) * BigInt(DAY_MS), made],
      );
    // In a day one gets 8 TRX for 1,000 votes, the other none: 0.8 % a day, 292 % a year.
    for (const [address, made] of [
      ['good', 1],
      ['idle', 0],
    ] as const) {
      await reading(address, 1, 0);
      await reading(address, 2, made);
    }
    expect((await read()).votesBy).toBe('witnesses');
    expect(await walletOf('main')).toMatchObject({ rewardsYield: 0n, idleVotesSun: 2_920_000n * TRX });
  });
});
