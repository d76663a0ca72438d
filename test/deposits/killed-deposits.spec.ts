import { CRASH_POINTS } from '../../config/crash-point';
import { ensureBuild } from '../support/build';
import { DepositWorld, TRX } from './deposit-world';

describe('a process that is killed with deposits under way', () => {
  let deposits: DepositWorld;
  beforeAll(() => ensureBuild());
  beforeEach(async () => {
    // What a head shows is asked: blocks become final 3 seconds after it, however slow the machine.
    deposits = await DepositWorld.open({ block: 150, solidLag: 20, backgroundWork: false });
  });
  afterEach(() => deposits.close());

  it.each(CRASH_POINTS.filter((point) => /deposit/.test(point)))('at %s has each credited once', async (point) => {
    const { world } = deposits;
    const first = await world.startProcess();
    await deposits.untilBegun();
    first.process.kill('SIGKILL');
    await first.ended;
    await deposits.rate(3_000_000n);
    const customer = await deposits.customer();
    const killed = await world.startProcess({ CRASH_AT: point });
    await deposits.untilFollowing();
    const expected: Record<string, bigint> = {
      [`${await deposits.payTrx(customer.address, 5 * TRX)}:0`]: 5_000_000n,
      [`${await deposits.payUsdt(customer.address, 10 * TRX)}:0`]: 30_000_000n,
    };
    await killed.ended;
    expect(killed.process.signalCode).toBe('SIGKILL');
    await world.startProcess();
    await world.untilRow(`select 1 from deposits where state = 'credited' having count(*) = 2`);
    expect(await deposits.credits()).toEqual(expected);
    expect(await deposits.balanceSun(customer)).toBe(35_000_000n);
  });
});
