import { Logger } from '@nestjs/common';
import { StakeOverview } from '../../src/stake-care/stake-overview';
import { MetricsEndpoint } from '../../src/telemetry/metrics/metrics.endpoint';
import { NodeProxy } from '../support/node-proxy';
import { ANN, CareWorld, DAY_MS, HOUR_MS } from './care-world';

const YEAR_MS = 365 * DAY_MS;

describe('what is read of stakes', () => {
  let care: CareWorld;
  let node: NodeProxy;
  beforeEach(async () => {
    care = await CareWorld.open({
      env: { METRICS_PORT: '0' },
      nodeUrl: async (url) => {
        node = new NodeProxy(url);
        return node.open();
      },
    });
  });
  afterEach(async () => {
    await care.world.close();
    await node.close();
  });

  const calls = (route: string) => node.calls.filter((call) => call.route === route).length;
  const looks = () => calls('walletsolidity/getReward');
  const age = (seconds: number) =>
    care.world.query(`update stake_readings set tried_at = tried_at - $1::integer * interval '1 second' returning 1`, [
      seconds,
    ]);

  it('is read after longer and longer when a look fails, and as before once one succeeds', async () => {
    await care.care();
    await care.runDue();
    await care.settle();
    await care.run();
    await care.runDue();
    const before = looks();
    node.answers = ({ route }) => (route === 'walletsolidity/getReward' ? '{"reward":"all of it"}' : undefined);
    for (const [seconds, looked] of [
      [601, 1],
      [0, 1],
      [31, 2],
      [31, 2],
      [30, 3],
      [61, 3],
    ] as const) {
      await age(seconds);
      await care.runDue();
      expect([seconds, looks() - before]).toEqual([seconds, looked]);
    }
    node.answers = () => undefined;
    await age(300);
    await care.runDue();
    expect(looks() - before).toBe(4);
    const rows = await care.world.query('select failures from stake_readings');
    expect(rows).toEqual([{ failures: 0 }]);
  });

  it('counts for nothing where its node shows a block before what is final: nothing is done again by that', async () => {
    await care.care({ claims: false });
    await care.run();
    await care.settle();
    await care.later(6 * HOUR_MS);
    const [{ number }] = (await care.world.query(
      'select max(block_number)::integer as number from stake_operations',
    )) as [{ number: number }];
    const show = (block: number | undefined) =>
      (node.after = async ({ route, body }, answer) => {
        if (route === 'walletsolidity/getaccount') return answer.replace(/"votes":\s*\[[^\]]*\]/, '"votes": []');
        if (route !== 'walletsolidity/getblock' || block === undefined) return answer;
        return JSON.stringify(await care.world.node(route, { ...body, id_or_num: String(block) }));
      });
    show(number - 1);
    await care.run();
    expect(await care.states()).toEqual(['vote final']);
    show(undefined);
    await care.run();
    expect(await care.states()).toEqual(['vote final', 'vote sent']);
  });

  it('is read every ten minutes with care, and every hour without', async () => {
    await care.runDue();
    const before = looks();
    await age(601);
    await care.runDue();
    expect(looks() - before).toBe(0);
    await age(3_000);
    await care.runDue();
    expect(looks() - before).toBe(1);
  });

  it('is read after an hour of block time and in each new period too, but not sooner after a look that failed', async () => {
    await care.care({ votes: [], claims: false });
    await care.run();
    const readAt = async () => {
      const [row] = await care.world.query('select read_ms::float8 as ms from stake_readings');
      return row!['ms'] as number;
    };
    const looked = async () => {
      const before = looks();
      for (const _ of [1, 2]) await care.runDue();
      return looks() - before;
    };
    const minutes = 60_000;
    await care.later(6 * HOUR_MS - ((await readAt()) % (6 * HOUR_MS)) + 5 * minutes);
    expect(await looked()).toBe(1);
    await care.later(30 * minutes);
    expect(await looked()).toBe(0);
    await care.later(31 * minutes);
    expect(await looked()).toBe(1);
    await care.later(6 * HOUR_MS - ((await readAt()) % (6 * HOUR_MS)) - 10 * minutes);
    expect(await looked()).toBe(1);
    await care.later(20 * minutes);
    expect(await looked()).toBe(1);
    node.answers = ({ route }) => (route === 'walletsolidity/getReward' ? '{"reward":"all of it"}' : undefined);
    await care.later(2 * HOUR_MS);
    expect(await looked()).toBe(1);
    await care.later(6 * HOUR_MS);
    expect(await looked()).toBe(0);
  });

  it('is logged once while it cannot be read, and its age grows', async () => {
    await care.care({ votes: [], claims: false });
    await care.run();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const said = () =>
      warn.mock.calls.filter(([, text]) => text === 'The stake of pool cannot be read; later looks try again');
    const ageShown = async () => {
      const text = await (await fetch(care.world.app.app.get(MetricsEndpoint).url!)).text();
      return Number(/^stake_reading_age_seconds\{wallet="pool"[^}]*\} (\S+)$/m.exec(text)?.[1]);
    };
    node.answers = ({ route }) => (route === 'walletsolidity/getaccount' ? '{}' : undefined);
    await care.later(2 * HOUR_MS);
    for (const _ of [1, 2, 3]) await care.run();
    expect(said()).toHaveLength(1);
    expect(await ageShown()).toBeGreaterThanOrEqual(7_200);
    node.answers = () => undefined;
    await care.run();
    node.answers = ({ route }) => (route === 'walletsolidity/getaccount' ? '{}' : undefined);
    for (const _ of [1, 2]) await care.run();
    expect(said()).toHaveLength(2);
    warn.mockRestore();
  });

  it('has witnesses read once an hour for all wallets, and at once when one is named', async () => {
    await care.care();
    for (const _ of [1, 2, 3]) await care.run();
    expect(calls('wallet/getBrokerage')).toBe(2);
    await care.world.query(`update stake_witnesses set read_at = read_at - interval '61 minutes' returning 1`);
    for (const _ of [1, 2, 3]) await care.run();
    expect(calls('wallet/getBrokerage')).toBe(4);
    await care.care({ votes: [{ witness: care.witnesses[3]!, weight: 1 }] });
    for (const _ of [1, 2, 3]) await care.run();
    expect(calls('wallet/getBrokerage')).toBe(5);
    node.answers = ({ route }) => (route === 'wallet/getBrokerage' ? '{"brokerage":101}' : undefined);
    await care.world.query(`update stake_witnesses set read_at = read_at - interval '61 minutes' returning 1`);
    for (const _ of [1, 2, 3]) await care.run().catch(() => undefined);
    expect(calls('wallet/getBrokerage')).toBe(6);
  });

  it('gives the yield of a witness as votes for it have earned', async () => {
    const [witness] = care.witnesses;
    await care.care({ votes: [{ witness: witness!, weight: 1 }], claims: false });
    await care.admin.vote(ANN, 'pool');
    await care.settle();
    const period = async () => {
      await care.later(6 * HOUR_MS);
      await care.world.query(`update stake_witnesses set read_at = read_at - interval '61 minutes' returning 1`);
      await care.run();
    };
    const reading = async () => {
      const [row] = await care.world.query(
        `select reward_sun::float8 as sun, read_ms::float8 as ms from stake_readings`,
      );
      return row as { sun: number; ms: number };
    };
    // From here on the votes are counted, and each period is like the others.
    for (const _ of [1, 2]) await period();
    await care.world.query('delete from stake_witnesses returning 1');
    await care.run();
    const before = await reading();
    for (const _ of [1, 2, 3, 4, 5, 6]) await period();
    const after = await reading();
    const power = await care.power();
    const earned = ((after.sun - before.sun) / 1e6 / power) * (YEAR_MS / (after.ms - before.ms)) * 100;
    const shown = await care.world.app.app.get(StakeOverview).show('pool');
    const said = shown.witnessYields.get(witness!)!;
    expect(earned).toBeGreaterThan(0.01);
    expect(Math.abs(said - earned)).toBeLessThan(earned * 0.1);
  });
});
