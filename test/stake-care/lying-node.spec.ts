import { toHexAddress } from '../../src/chain/tron/addresses';
import { StakeAlarms } from '../../src/reconciliation/alarms/stake.alarms';
import { StakeOverview } from '../../src/stake-care/stake-overview';
import { NodeProxy } from '../support/node-proxy';
import { ANN, CareWorld, DAY_MS, HOUR_MS } from './care-world';

/** What a node says of an account's stake, in each way that would have something sent for it. */
const LIES: Readonly<Record<string, (answer: string) => string>> = {
  'walletsolidity/getaccount': (answer) =>
    answer
      .replace(/"votes":\s*\[[^\]]*\]/, '"votes": []')
      .replace(/"latest_withdraw_time":\s*\d+/, '"latest_withdraw_time": 1')
      .replace(/^\{/, '{"unfrozenV2": [{"unfreeze_amount": 5000000, "unfreeze_expire_time": 1}],'),
  'walletsolidity/getReward': () => '{"reward": 900000000000}',
  'wallet/getnextmaintenancetime': () => '{"num": 1}',
};

describe('a node that lies about votes, rewards and what is unfrozen', () => {
  let care: CareWorld;
  let node: NodeProxy;
  beforeAll(async () => {
    care = await CareWorld.open({
      nodeUrl: async (url) => {
        node = new NodeProxy(url);
        return node.open();
      },
    });
    await care.care();
    await care.run();
    await care.settle();
  });
  afterAll(async () => {
    await care.world.close();
    await node.close();
  });

  const countOf = async (kind: string) => (await care.operations()).filter((row) => row.kind === kind).length;

  it('has each thing tried once for its period or day, and no stake or TRX lost', async () => {
    const before = await care.account();
    node.after = ({ route }, answer) => LIES[route]?.(answer) ?? answer;
    for (let look = 0; look < 4; look++) {
      await care.run();
      await care.settle();
    }
    // The vote before was of this period; what is claimed and withdrawn is of the day.
    expect([await countOf('vote'), await countOf('claim'), await countOf('withdraw')]).toEqual([1, 1, 1]);
    for (let period = 0; period < 4; period++) {
      await care.later(6 * HOUR_MS);
      for (let look = 0; look < 3; look++) {
        await care.run();
        await care.settle();
      }
    }
    expect(await countOf('vote')).toBe(5);
    expect([await countOf('claim'), await countOf('withdraw')]).toEqual([2, 2]);
    node.after = (_, answer) => answer;
    const after = await care.account();
    expect([after.votes, after.frozenV2]).toEqual([before.votes, before.frozenV2]);
    expect(after.balance).toBeGreaterThan(before.balance! - 5_000_000);
  });

  it('counts nothing as claimed that not every node says', async () => {
    node.after = ({ route }, answer) =>
      route === 'walletsolidity/gettransactioninfobyid' ? answer.replace(/"id":\s*"[0-9a-f]/, '"id": "x') : answer;
    await care.later(DAY_MS);
    await care.run();
    await care.settle();
    await care.run();
    const unpaid = `select 1 from stake_operations where kind = 'claim' and state = 'final' and not is_paid`;
    expect(await care.world.query(unpaid)).toHaveLength(1);
    node.after = (_, answer) => answer;
    await care.run();
    expect(await care.world.query(unpaid)).toEqual([]);
  });
});

describe('one of two nodes that lies about the power to vote and the TRX of a wallet', () => {
  let care: CareWorld;
  let liar: NodeProxy;
  beforeEach(async () => {
    care = await CareWorld.open({
      nodeUrl: async (url) => {
        liar = new NodeProxy(url);
        return `${await liar.open()},${url}`;
      },
    });
  });
  afterEach(async () => {
    await care.world.close();
    await liar.close();
  });

  it('has no votes replaced by fewer, and nothing frozen that is to stay liquid', async () => {
    liar.after = ({ route }, answer) => {
      if (route === 'wallet/getaccountresource')
        return answer.replace(/"tronPowerLimit":\s*\d+/, '"tronPowerLimit": 100');
      if (route === 'walletsolidity/getaccount') return answer.replace(/"balance":\s*\d+/, '"balance": 9000000000000');
      return answer;
    };
    const power = await care.power();
    const { balance } = await care.account();
    await care.care({ restakes: true, keepLiquidSun: BigInt(balance!) });
    await care.run();
    await care.settle();
    expect((await care.votes()).reduce((sum, count) => sum + count, 0)).toBe(power);
    for (const _ of [1, 2]) await care.later(6 * HOUR_MS);
    await care.run();
    await care.settle();
    await care.run();
    const frozen = (await care.operations()).filter(({ kind }) => kind === 'freeze');
    const [claim] = (await care.operations()).filter(({ kind }) => kind === 'claim');
    expect(claim).toMatchObject({ state: 'final' });
    for (const { amount_sun: sun } of frozen) expect(sun! <= claim!.amount_sun!).toBe(true);
  });

  it.each([
    ['are no witnesses', 'wallet/listwitnesses', '{}'],
    ['keep all of their pay', 'wallet/getBrokerage', '{"brokerage": 100}'],
  ])('makes no finding of witnesses by saying that they %s', async (_what, route, lie) => {
    liar.after = (call, answer) => (call.route === route ? lie : answer);
    await care.care();
    await care.run();
    expect(liar.calls.map((call) => call.route)).toContain(route);
    expect(await care.world.app.app.get(StakeAlarms).read()).toEqual([]);
    const shown = await care.world.app.app.get(StakeOverview).witnesses(new Set(care.witnesses.slice(0, 2)));
    expect([...shown.values()].map(({ pays }) => pays)).toEqual([true, true]);
  });

  it('has nothing given up by its refusal while the other one is busy', async () => {
    const route = 'wallet/broadcasttransaction';
    liar.answers = (call) =>
      call.route === route ? JSON.stringify({ code: 'CONTRACT_VALIDATE_ERROR', message: '6c6965' }) : undefined;
    await care.world.control('fault', { route, kind: 'busy', count: 1_000 });
    await care.care();
    await care.run();
    expect(await care.states()).toEqual(['vote signed']);
    await care.world.control('fault', { route, kind: 'none' });
    const ago = `update chain_transactions set last_sent_at = last_sent_at - interval '10 seconds' returning id`;
    await care.world.query(ago);
    await care.settle();
    expect(await care.states()).toEqual(['vote final']);
  });

  it('has one vote refused for a power that there is not, and the next one cast', async () => {
    const power = await care.power();
    liar.after = ({ route }, answer) =>
      route === 'wallet/getaccountresource' ? answer.replace(/"tronPowerLimit":\s*/, '$&9') : answer;
    await care.care();
    await care.run();
    await care.settle();
    expect(await care.states()).toEqual(['vote failed']);
    await care.later(6 * HOUR_MS);
    await care.run();
    await care.settle();
    expect(await care.states()).toEqual(['vote failed', 'vote final']);
    expect((await care.votes()).reduce((sum, count) => sum + count, 0)).toBe(power);
    // One more is tried, for the power may have grown; then all of what is sure is voted for, and the lie costs nothing more.
    for (const _ of [1, 2, 3]) {
      await care.later(6 * HOUR_MS);
      await care.run();
      await care.settle();
    }
    expect((await care.states()).filter((state) => state.startsWith('vote'))).toEqual([
      'vote failed',
      'vote final',
      'vote failed',
    ]);
  });

  it('has votes set and rewards claimed all the same, when it shows all of the power as voted for and nothing to claim', async () => {
    const power = await care.power();
    const [first, second] = care.witnesses.map((witness) => toHexAddress(witness));
    const firstVotes = Math.ceil(power * 0.6);
    const asIfVoted = JSON.stringify([
      { vote_address: first, vote_count: firstVotes },
      { vote_address: second, vote_count: power - firstVotes },
    ]);
    liar.after = ({ route }, answer) => {
      if (route === 'walletsolidity/getReward') return '{}';
      if (route !== 'walletsolidity/getaccount') return answer;
      const others = answer.replace(/"(votes|latest_withdraw_time)":/g, '"$1_hidden":');
      return others.replace(/^\{/, `{"votes": ${asIfVoted}, "latest_withdraw_time": 8000000000000000,`);
    };
    await care.care();
    await care.run();
    await care.settle();
    expect(await care.states()).toEqual(['vote final']);
    for (const _ of [1, 2]) await care.later(6 * HOUR_MS);
    await care.run();
    await care.settle();
    expect(await care.states()).toEqual(['vote final', 'claim final']);
    liar.after = ({ route }, answer) => (route === 'walletsolidity/getaccount' ? '{}' : answer);
    await care.blocks(4);
    await care.run();
    expect(await care.world.query('select failures from stake_readings')).toEqual([{ failures: 0 }]);
  });
});

describe('a single node that says more stake and more power to vote than there are', () => {
  let care: CareWorld;
  let node: NodeProxy;
  beforeAll(async () => {
    care = await CareWorld.open({ nodeUrl: (url) => (node = new NodeProxy(url)).open() });
  });
  afterAll(async () => {
    await care.world.close();
    await node.close();
  });

  /** Votes count after it. The wallet is read meanwhile, as it is every few minutes. */
  async function period(): Promise<void> {
    await care.later(6 * HOUR_MS);
    await care.world.tryToReadWallets();
    for (const _ of [1, 2]) {
      await care.run();
      await care.settle();
    }
  }
  const cast = async () => (await care.votes()).reduce((sum, count) => sum + count, 0);
  const states = async () => (await care.states()).filter((state) => state.startsWith('vote'));

  it('has one vote refused, and the next one cast with the power that the refusal names, also once the stake has grown', async () => {
    node.after = ({ route }, answer) => {
      if (route === 'wallet/getaccountresource') return answer.replace(/"tronPowerLimit":\s*/, '$&9');
      return route === 'walletsolidity/getaccount' ? answer.replaceAll(/"amount":\s*/g, '$&9') : answer;
    };
    const power = await care.power();
    await care.care({ claims: false });
    await care.run();
    await care.settle();
    expect(await states()).toEqual(['vote failed']);
    await period();
    expect([await states(), await cast()]).toEqual([['vote failed', 'vote final'], power]);
    // Refused once a period, which burns nothing, and the votes stay.
    for (const _ of [1, 2]) await period();
    expect([(await states()).slice(2), await cast()]).toEqual([['vote failed', 'vote failed'], power]);
    await care.world.control('account', { address: care.address, balance_sun: 300_000_000_000 });
    await care.admin.freeze(ANN, 'pool', 200_000_000_000n, 'energy');
    await care.settle();
    for (const _ of [1, 2]) await period();
    expect(await cast()).toBe(power + 200_000);
  });
});
