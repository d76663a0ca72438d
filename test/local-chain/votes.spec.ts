import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { worthlessKey } from '../../local-chain/src/genesis.accounts';
import { type Answer, type Key, keyOf, TestChain, TRX } from './chain.fixture';

interface Recorded extends Answer {
  votes: Record<string, number>;
  list: Record<string, number>;
  reward: number;
}
const FILE = join(__dirname, '..', 'conformance', 'rewards.jsonl');
const RECORDED = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);
const PERIOD_MS = 90_000;
const BLOCKS = 28;

/** Votes on a chain whose periods end when the test says so. */
class Votes {
  constructor(readonly chain: TestChain) {}

  async voter(name: string, trx: number): Promise<Key> {
    const key = await this.chain.put(name, trx + 1_000);
    await this.freeze(key, trx);
    return key;
  }
  async freeze(owner: Key, trx: number, resource = 'ENERGY'): Promise<void> {
    const value = { owner_address: owner.hex, frozen_balance: trx * TRX, resource };
    await this.chain.must(await this.chain.build('FreezeBalanceV2Contract', value), owner);
  }
  async unfreeze(owner: Key, trx: number, resource = 'ENERGY'): Promise<void> {
    const value = { owner_address: owner.hex, unfreeze_balance: trx * TRX, resource };
    await this.chain.must(await this.chain.build('UnfreezeBalanceV2Contract', value), owner);
  }
  async vote(owner: Key, votes: Record<string, number>): Promise<void> {
    await this.chain.must(await this.chain.build('VoteWitnessContract', voteOf(owner, votes)), owner);
  }
  async votesOf(owner: Key): Promise<number[]> {
    return ((await this.chain.account(owner))['votes'] ?? []).map((vote: Answer) => vote['vote_count'] as number);
  }
  async reward(owner: Key): Promise<number> {
    return (await this.chain.post('wallet/getReward', { address: owner.hex }))['reward'] as number;
  }
  async list(): Promise<Answer[]> {
    return (await this.chain.post('wallet/listwitnesses'))['witnesses'] as Answer[];
  }
  /** The block that ends this period. */
  async boundary(): Promise<void> {
    const { num } = await this.chain.post('wallet/getnextmaintenancetime');
    await this.chain.control('block', { timestamp: num });
  }
  async withdraw(owner: Key): Promise<Answer> {
    return this.chain.send(await this.chain.build('WithdrawBalanceContract', { owner_address: owner.hex }), owner);
  }
}

const keyOfWitness = (number: number): Key => keyOf(worthlessKey(`witness ${number}`));

const voteOf = (owner: Key, votes: Record<string, number>) => ({
  owner_address: owner.hex,
  votes: Object.entries(votes).map(([vote_address, vote_count]) => ({ vote_address, vote_count })),
});

describe('votes and rewards', () => {
  let chain: TestChain;
  let votes: Votes;
  afterEach(() => chain.close());
  const start = async (parameters: Record<number, bigint> = {}) => {
    chain = await TestChain.start({ parameters });
    votes = new Votes(chain);
  };

  it('gives a voter, after each cycle, the reward to the sun that a real net gave for the same votes (rewards.jsonl)', async () => {
    await start({ 0: BigInt(PERIOD_MS), 5: 32_000_000n, 31: 16_000_000n });
    const [vote, ...cycles] = RECORDED.filter(({ list }) => list !== undefined);
    const turns = await votes.list();
    // The witness with the same votes stands for each of the recorded ones.
    const standsFor = (address: string) =>
      turns.find((it) => it['voteCount'] === vote!.list[address])!['address'] as string;
    const voter = await votes.voter('voter', 5_000_000);
    const wanted = Object.fromEntries(Object.entries(vote!.votes).map(([to, count]) => [standsFor(to), count]));
    await votes.vote(voter, wanted);
    // One of a period's 28 blocks is its maker's second: in the recorded cycle that of the second vote, then each time the next one's.
    const order = turns.map((it) => it['address'] as string);
    const twice = order.indexOf(standsFor(Object.keys(vote!.votes)[1]!));
    while ((await chain.head())['witness_address'] !== order[twice - 2]) await chain.blocks();
    for (const [at, { cycle, reward, list }] of cycles.entries()) {
      if (at > 0) await chain.blocks(BLOCKS - 1);
      await votes.boundary();
      expect([cycle, await votes.reward(voter)]).toEqual([cycle, reward]);
      const shown = new Map((await votes.list()).map((it) => [it['address'], it['voteCount']]));
      for (const [address, count] of Object.entries(list)) expect(shown.get(standsFor(address))).toBe(count);
    }
  });

  it('collects rewards with each vote, pays them out once a day, and never twice', async () => {
    await start();
    const [first] = await votes.list();
    const voter = await votes.voter('voter', 1_000_000);
    await votes.vote(voter, { [first!['address']]: 1_000_000 });
    await votes.boundary();
    await chain.blocks(5);
    await votes.boundary();
    const reward = await votes.reward(voter);
    expect(reward).toBeGreaterThan(0);
    await votes.vote(voter, { [first!['address']]: 500_000 });
    expect(await chain.account(voter)).toMatchObject({ allowance: reward });
    const before = (await chain.account(voter))['balance'] as number;
    const tx = await chain.build('WithdrawBalanceContract', { owner_address: voter.hex });
    await chain.must(tx, voter);
    const { withdraw_amount: withdrawn, fee = 0 } = await chain.info(tx);
    expect(withdrawn).toBe(reward);
    const after = await chain.account(voter);
    expect(after['balance']).toBe(before + reward - fee);
    expect(after['allowance']).toBeUndefined();
    await votes.boundary();
    expect(await votes.reward(voter)).toBeGreaterThan(0);
    expect((await votes.withdraw(voter))['message']).toMatch(
      /^Contract validate error : The last withdraw time is \d+, less than 24 hours$/,
    );
    await chain.control('clock', { ms: 86_400_000 });
    await chain.blocks();
    expect((await votes.withdraw(voter))['result']).toBe(true);
  });

  it('counts a changed vote from the next cycle on, and pays the cycle of the change by the old one', async () => {
    await start();
    const [one, two] = (await votes.list()).map((it) => it['address'] as string);
    // It keeps all of its pay.
    const update = { owner_address: two!, brokerage: 100 };
    await chain.must(await chain.build('UpdateBrokerageContract', update), keyOfWitness(2));
    const [stays, changes] = [await votes.voter('stays', 1_000_000), await votes.voter('changes', 1_000_000)];
    for (const voter of [stays, changes]) await votes.vote(voter, { [one!]: 1_000_000 });
    await votes.boundary();
    await votes.vote(changes, { [two!]: 1_000_000 });
    await chain.blocks(30);
    await votes.boundary();
    const reward = await votes.reward(stays);
    expect(await votes.reward(changes)).toBe(reward);
    await chain.blocks(30);
    await votes.boundary();
    expect(await votes.reward(stays)).toBeGreaterThan(reward);
    expect(await votes.reward(changes)).toBe(reward);
  });

  it('takes votes with unfrozen stake: idle power first, then every vote alike, rounded down', async () => {
    await start();
    const [one, two] = (await votes.list()).map((it) => it['address'] as string);
    const voter = await votes.voter('voter', 1_000);
    await votes.vote(voter, { [one!]: 600, [two!]: 300 });
    await votes.unfreeze(voter, 100);
    expect(await votes.votesOf(voter)).toEqual([600, 300]);
    await votes.unfreeze(voter, 1);
    expect(await votes.votesOf(voter)).toEqual([599, 299]);
    expect(await chain.resources(voter)).toMatchObject({ tronPowerUsed: 898, tronPowerLimit: 899 });
  });

  it('keeps the power of stake that is lent', async () => {
    await start();
    const [one] = (await votes.list()).map((it) => it['address'] as string);
    const [voter, to] = [await votes.voter('voter', 1_000), await chain.put('receiver', 1)];
    await chain.must(await chain.delegate(voter, to, 900 * TRX), voter);
    await votes.vote(voter, { [one!]: 1_000 });
    expect(await votes.votesOf(voter)).toEqual([1_000]);
  });

  it('pays a witness its brokerage, and what it asks for from the next cycle on', async () => {
    await start();
    const [first] = await votes.list();
    const witness = keyOfWitness(1);
    expect(witness.hex).toBe(first!['address']);
    const brokerage = async () => (await chain.post('wallet/getBrokerage', { address: witness.hex }))['brokerage'];
    await chain.must(
      await chain.build('UpdateBrokerageContract', { owner_address: witness.hex, brokerage: 100 }),
      witness,
    );
    expect(await brokerage()).toBe(20);
    await votes.boundary();
    expect(await brokerage()).toBe(100);
    const voter = await votes.voter('voter', 1_000_000);
    await votes.vote(voter, { [witness.hex]: 1_000_000 });
    await votes.boundary();
    const before = await votes.reward(witness);
    await chain.blocks(27);
    await votes.boundary();
    expect(await votes.reward(voter)).toBe(0);
    expect((await votes.reward(witness)) - before).toBeGreaterThan(8_000_000);
  });

  it('has witnesses with more votes make the blocks from the next period on', async () => {
    await start();
    await chain.control('witnesses', { replace: 1 });
    const out = (await votes.list())[0]!;
    expect(out['isJobs']).toBeUndefined();
    const voter = await votes.voter('voter', 200_000_000);
    await votes.vote(voter, { [out['address']]: 200_000_000 });
    expect((await votes.list())[0]!['isJobs']).toBeUndefined();
    await votes.boundary();
    const list = await votes.list();
    expect(list[0]).toMatchObject({ isJobs: true, voteCount: 200_000_000 });
    expect(list.filter((it) => it['isJobs'])).toHaveLength(27);
    const makers = new Set<string>();
    for (let made = 0; made < 27; made++) {
      await chain.blocks();
      makers.add((await chain.head())['witness_address'] as string);
    }
    expect(makers).toContain(out['address']);
    expect(makers.size).toBe(27);
  });

  it('undoes the count of votes with a fork that drops its block', async () => {
    await start();
    const [one] = await votes.list();
    const voter = await votes.voter('voter', 1_000);
    await votes.vote(voter, { [one!['address']]: 1_000 });
    const before = (await votes.list())[0]!['voteCount'] as number;
    await votes.boundary();
    expect((await votes.list())[0]!['voteCount']).toBe(before + 1_000);
    const { number } = await chain.head();
    await chain.control('fork', { from: number });
    expect((await votes.list())[0]!['voteCount']).toBe(before);
    await votes.boundary();
    expect((await votes.list())[0]!['voteCount']).toBe(before + 1_000);
  });

  describe('with parameter 51, stake for votes alone', () => {
    it('is refused without it', async () => {
      await start();
      const voter = await votes.voter('voter', 1_000);
      const value = { owner_address: voter.hex, frozen_balance: TRX, resource: 'TRON_POWER' };
      const { message } = await chain.send(await chain.build('FreezeBalanceV2Contract', value), voter);
      expect(message).toBe('Contract validate error : ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]');
    });

    it('gives power beside the old one, which the first unfreezing ends with all votes', async () => {
      await start();
      const [one] = (await votes.list()).map((it) => it['address'] as string);
      const voter = await votes.voter('voter', 1_000);
      expect(await chain.control('parameter', { id: 51, value: 1 })).toEqual({ id: 51, value: 1 });
      await votes.freeze(voter, 500, 'TRON_POWER');
      await votes.freeze(voter, 100);
      // Stake for energy that came later gives none.
      expect((await chain.resources(voter))['tronPowerLimit']).toBe(1_500);
      await votes.vote(voter, { [one!]: 1_500 });
      await votes.unfreeze(voter, 1);
      expect(await votes.votesOf(voter)).toEqual([]);
      expect((await chain.resources(voter))['tronPowerLimit']).toBe(500);
      await votes.vote(voter, { [one!]: 500 });
      await votes.unfreeze(voter, 1);
      expect(await votes.votesOf(voter)).toEqual([500]);
      await votes.unfreeze(voter, 200, 'TRON_POWER');
      expect(await votes.votesOf(voter)).toEqual([300]);
    });
  });

  it('has the parameters that it is started with, and refuses those that no network can have', async () => {
    await start({ 31: 1_000_000n, 51: 1n });
    const { chainParameter } = await chain.post('wallet/getchainparameters');
    expect(chainParameter).toContainEqual({ key: 'getWitness127PayPerBlock', value: 1_000_000 });
    expect(chainParameter).toContainEqual({ key: 'getAllowNewResourceModel', value: 1 });
    for (const body of [
      { id: 51, value: 2 },
      { id: 70, value: 0 },
      { id: 9_999, value: 1 },
    ])
      await expect(chain.control('parameter', body)).rejects.toThrow(' 400 ');
  });
});
