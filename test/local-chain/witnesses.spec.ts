import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finalHeight, witnessesFor } from '../../local-chain/src/witnesses/finality';
import { blockSignerOf } from './block-proof';
import { TestChain, until, type Answer } from './chain.fixture';

const recorded = (name: string): string => readFileSync(join(__dirname, '..', 'conformance', 'blocks', name), 'utf8');

describe('finality', () => {
  it('is what a real node says, or up to two blocks ahead of the view that it shows', () => {
    const { witnesses } = JSON.parse(recorded('witnesses.json')) as { witnesses: Answer[] };
    const newest = new Map(witnesses.filter(({ isJobs }) => isJobs).map(({ address }) => [address as string, 0]));
    expect(newest.size).toBe(27);
    const finalAt = new Map<number, number>();
    for (const line of recorded('blocks.jsonl').trim().split('\n')) {
      const { number, witness_address: witness } = JSON.parse(line).block_header.raw_data as Answer;
      newest.set(witness, number);
      finalAt.set(number, finalHeight([...newest.values()]));
    }
    const tips = JSON.parse(recorded('tips.json')) as [number, number][];
    expect(tips).toHaveLength(74);
    for (const [head, shown] of tips) expect([0, 1, 2]).toContain(finalAt.get(head)! - shown);
  });

  it('has a number of witnesses for each lag of the solid view', async () => {
    expect([20, 4, 3, 2].map(witnessesFor)).toEqual([27, 4, 2, 1]);
    for (const solidLag of [0, 1, 2, 3, 4, 5, 6, 13, 20]) {
      const chain = await TestChain.start({ solidLag });
      await chain.blocks(3 * solidLag + 5);
      const { number } = await chain.head();
      expect(await solidOf(chain)).toBe(number - solidLag);
      expect(await finalOf(chain)).toBe(number - Math.max(0, solidLag - 2));
      await chain.close();
    }
  });
});

const numberOf = (block: Answer): number => (block['block_header'].raw_data.number ?? 0) as number;
const solidOf = async (chain: TestChain): Promise<number> => numberOf(await chain.post('walletsolidity/getnowblock'));
const finalOf = async (chain: TestChain): Promise<number> =>
  Number(/^Num:(\d+)/.exec((await chain.post('wallet/getnodeinfo'))['solidityBlock'])![1]);

describe('control/witnesses', () => {
  let chain: TestChain;
  beforeEach(async () => {
    chain = await TestChain.start();
    await chain.blocks(60);
  });
  afterEach(() => chain.close());

  const listed = async (): Promise<Answer[]> => (await chain.post('wallet/listwitnesses'))['witnesses'] as Answer[];
  const active = async (): Promise<string[]> =>
    (await listed()).filter(({ isJobs }) => isJobs).map(({ address }) => address as string);
  const signerOf = async (address: string): Promise<string> =>
    ((await chain.post('wallet/getaccount', { address }))['witness_permission']?.keys[0].address ?? address) as string;
  /** Makers and signers of the newest blocks. */
  const newest = async (count: number): Promise<{ witness: string; signer: string; block: Answer }[]> => {
    const { block } = (await chain.post('wallet/getblockbylatestnum', { num: count })) as { block: Answer[] };
    return block.map((it) => ({
      witness: it['block_header'].raw_data.witness_address as string,
      signer: blockSignerOf(it),
      block: it,
    }));
  };

  it('with nine silent of 27: blocks go on by the others, and nothing more becomes final', async () => {
    const [final, solid] = [await finalOf(chain), await solidOf(chain)];
    const answer = await chain.control('witnesses', { silent: 9 });
    const silent = (answer['witnesses'] as Answer[]).filter((it) => it['silent']).map(({ address }) => address);
    expect(silent).toHaveLength(9);
    await chain.blocks(60);
    const producers = new Set((await newest(60)).map(({ witness }) => witness));
    expect(producers.size).toBe(18);
    for (const address of silent) expect(producers).not.toContain(address);
    // The ninth of them made its last block up to 27 blocks before it fell silent: until there all had built.
    const held = await finalOf(chain);
    expect(held).toBeGreaterThanOrEqual(final);
    expect(held).toBeLessThanOrEqual(60 + 1);
    expect(await solidOf(chain)).toBe(Math.max(solid, held - 2));
    await chain.blocks(40);
    expect(await finalOf(chain)).toBe(held);

    await chain.control('witnesses', { silent: 0 });
    await chain.blocks(27);
    const { number } = await chain.head();
    expect(await finalOf(chain)).toBe(number - 18);
    expect(await solidOf(chain)).toBe(number - 20);
  });

  it('with eight silent: what is final goes on, further behind', async () => {
    await chain.control('witnesses', { silent: 8 });
    await chain.blocks(60);
    const before = await finalOf(chain);
    await chain.blocks(19);
    expect((await finalOf(chain)) - before).toBe(19);
    expect((await chain.head())['number'] - (await finalOf(chain))).toBe(18);
  });

  it('with all silent makes no block at all', async () => {
    await chain.control('witnesses', { silent: 27 });
    expect(await chain.call('control/block')).toMatchObject({ status: 400 });
    await chain.control('witnesses', { silent: 26 });
    await chain.blocks(3);
    expect(new Set((await newest(3)).map(({ witness }) => witness)).size).toBe(1);
  });

  it('leaves the slots of silent witnesses empty when blocks come by themselves', async () => {
    const timed = await TestChain.start({ block: 20, witnesses: 4 });
    await timed.control('witnesses', { silent: 3 });
    const from = await timed.head();
    await until(async () => (await timed.head())['number'] >= from['number'] + 10);
    const { number, timestamp } = await timed.head();
    expect(timestamp - from['timestamp']).toBeGreaterThanOrEqual((number - from['number']) * 60);
    await timed.close();
  });

  it('moves what is final only; control/solid-lag moves only the view', async () => {
    await chain.control('witnesses', { silent: 9 });
    await chain.blocks(60);
    const { number } = await chain.head();
    const held = await finalOf(chain);
    expect(await chain.control('solid-lag', { blocks: 3 })).toEqual({ solid: number - 3 });
    expect(await solidOf(chain)).toBe(number - 3);
    expect(await finalOf(chain)).toBe(held);
    // What that view shows beyond the final blocks can be dropped, and the view goes with it.
    await chain.control('fork', { from: held + 1 });
    expect(await solidOf(chain)).toBe(held);
    await chain.control('witnesses', { silent: 0 });
    await chain.blocks(60);
    await chain.control('solid-lag', {});
    expect(await solidOf(chain)).toBe((await chain.head())['number'] - 3);
    await chain.blocks(30);
    expect(await solidOf(chain)).toBe((await chain.head())['number'] - 20);
  });

  it('rotates keys in the middle of a period: the next blocks are signed with them, and accounts say so', async () => {
    const addresses = await active();
    const before = await Promise.all(addresses.map(signerOf));
    const answer = await chain.control('witnesses', { rotate_keys: 3 });
    const after = await Promise.all(addresses.map(signerOf));
    expect((answer['witnesses'] as Answer[]).map((it) => it['signing_address'] as string)).toEqual(after);
    expect(after.filter((signer, i) => signer !== before[i])).toHaveLength(3);
    await chain.blocks(27);
    const signers = new Map(addresses.map((address, i) => [address, after[i]]));
    for (const { witness, signer } of await newest(27)) expect(signer).toBe(signers.get(witness));
    expect(await active()).toEqual(addresses);
  });

  it('elects new ones in the place of others, who stay candidates and make no more blocks', async () => {
    const old = await active();
    await chain.control('witnesses', { replace: 9 });
    const now = await active();
    expect(now).toHaveLength(27);
    expect(now.filter((address) => !old.includes(address))).toHaveLength(9);
    expect(await listed()).toHaveLength(36);
    const final = await finalOf(chain);
    await chain.blocks(60);
    const made = await newest(27);
    expect(new Set(made.map(({ witness }) => witness))).toEqual(new Set(now));
    for (const { witness, signer } of made) expect(signer).toBe(await signerOf(witness));
    expect(await finalOf(chain)).toBe((await chain.head())['number'] - 18);
    expect(await finalOf(chain)).toBeGreaterThan(final);
  });

  it('keeps its changes over a fork', async () => {
    await chain.control('witnesses', { rotate_keys: 27 });
    const addresses = await active();
    const signers = await Promise.all(addresses.map(signerOf));
    await chain.blocks(5);
    await chain.control('fork', { from: (await chain.head())['number'] - 10 });
    expect(await Promise.all(addresses.map(signerOf))).toEqual(signers);
    await chain.blocks(3);
    for (const { signer } of await newest(3)) expect(signers).toContain(signer);
  });

  it.each([{ silent: 28 }, { replace: 28 }, { rotate_keys: 'all' }, { silent: -1 }])('refuses %j', async (body) => {
    expect(await chain.call('control/witnesses', body)).toMatchObject({ status: 400 });
  });
});
