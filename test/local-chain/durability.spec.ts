import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from '../support/build';
import { Child } from '../support/child';
import { TRX, TestChain, named } from './chain.fixture';

const genesis = async (chain: TestChain): Promise<unknown> =>
  (await chain.post('wallet/getblockbynum', { num: 0 }))['blockID'];

describe('the chain in a process of its own', () => {
  let program: string;
  let directory: string;
  const children: Child[] = [];
  beforeAll(() => {
    program = join(ensureBuild(), 'local-chain', 'src', 'main.js');
  });
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'local-chain-'));
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.stop('SIGKILL')));
    rmSync(directory, { recursive: true, force: true });
  });

  const start = async (...args: string[]): Promise<{ chain: TestChain; child: Child }> => {
    const child = new Child([program, '--port', '0', '--data', directory, '--control', ...args]);
    children.push(child);
    const [line] = await child.waitFor(/^\{.*\}$/m);
    return { chain: new TestChain(JSON.parse(line)), child };
  };

  it('keeps everything over kill -9: accounts, delegations, look-ups, reference blocks, the solid view', async () => {
    const { chain, child } = await start('--block', 'manual');
    const receiver = named('receiver');
    await chain.must(await chain.transfer(chain.activate, receiver, TRX), chain.activate);
    const old = await chain.header();
    await chain.blocks(30);
    const tx = await chain.must(await chain.delegate(chain.pool, receiver, 10 * TRX), chain.pool);
    await chain.control('clock', { ms: 3_600_000 });
    const block = await chain.blocks();
    const before = await chain.state();
    await child.stop('SIGKILL');

    const { chain: again } = await start('--block', 'manual');
    const after = await again.state();
    expect({ ...after, now: 0 }).toEqual({ ...before, now: 0 });
    expect(after['now']).toBeGreaterThanOrEqual(before['now']);
    expect(after['head']).toEqual(block['head']);
    expect(await again.info(tx)).toMatchObject({ id: tx.txID });
    expect(
      await again.post('walletsolidity/getdelegatedresourcev2', {
        fromAddress: again.pool.hex,
        toAddress: receiver.hex,
      }),
    ).toEqual({});
    expect(await again.send(tx, again.pool)).toMatchObject({
      code: expect.stringMatching(/^(TRANSACTION_EXPIRATION|DUP_TRANSACTION)_ERROR$/),
    });
    const { timestamp } = await again.head();
    const header = {
      ref_block_bytes: old['ref_block_bytes'],
      ref_block_hash: old['ref_block_hash'],
      expiration: timestamp + 60_000,
    };
    expect(await again.send(await again.undelegate(again.pool, receiver, 1), again.pool)).toMatchObject({
      result: true,
    });
    expect(await again.send(await again.transfer(again.pool, receiver, 1, { header }), again.pool)).toMatchObject({
      result: true,
    });
  });

  it('keeps its witnesses, their keys, who is silent, and what is final', async () => {
    const { chain, child } = await start('--block', 'manual');
    await chain.blocks(40);
    await chain.control('witnesses', { replace: 2, rotate_keys: 5, silent: 9 });
    await chain.blocks(40);
    const before = await chain.control('witnesses');
    expect(before['final']).toBeGreaterThan(20);
    await child.stop('SIGKILL');

    const { chain: again, child: second } = await start('--block', 'manual');
    expect(await again.control('witnesses')).toEqual(before);
    await again.blocks(30);
    expect((await again.control('witnesses'))['final']).toBe(before['final']);
    await again.control('witnesses', { silent: 0 });
    await again.blocks(27);
    const { number } = await again.head();
    const { witnesses, final } = await again.control('witnesses');
    expect(final).toBe(number - 18);
    await second.stop('SIGKILL');

    // The chain knows from its blocks which witnesses have built on it: the next block makes one more final.
    const { chain: third, child: its } = await start('--block', 'manual');
    await third.blocks();
    expect((await third.control('witnesses'))['final']).toBe(number + 1 - 18);
    await its.stop('SIGKILL');

    // With another number fewer of them go on, and these are the same.
    const { chain: fewer } = await start('--block', 'manual', '--witnesses', '4');
    expect((await fewer.control('witnesses'))['witnesses']).toEqual((witnesses as unknown[]).slice(0, 4));
    await fewer.blocks(4);
    expect((await fewer.control('witnesses'))['final']).toBe(number + 5 - 2);
  });

  it('keeps its files to itself, those that an older one has left too', async () => {
    const { child } = await start('--block', 'manual');
    await child.stop('SIGKILL');
    const files = () => readdirSync(directory).map((name) => join(directory, name));
    for (const file of files()) chmodSync(file, 0o644);
    await start('--block', 'manual');
    expect(files().length).toBeGreaterThan(1);
    expect(files().map((file) => statSync(file).mode & 0o777)).toEqual(files().map(() => 0o600));
  });

  it('is never torn by kill -9 in the middle of its work', async () => {
    for (let round = 0; round < 3; round++) {
      const { chain, child } = await start('--block', '20ms');
      const sender = round % 2 ? chain.activate : chain.pool;
      const sent: Promise<unknown>[] = [];
      for (let i = 0; i < 25; i++)
        sent.push(chain.transfer(sender, chain.rich, 1 + i).then((tx) => chain.send(tx, sender)));
      await Promise.any(sent);
      await child.stop('SIGKILL');
      await Promise.allSettled(sent);
    }
    const { chain } = await start('--block', 'manual');
    const { head, accounts, transactions, network } = await chain.state();
    let parent: string | undefined;
    for (let num = 0; num <= head.number; num++) {
      const block = await chain.post('wallet/getblockbynum', { num });
      if (parent) expect(block['block_header'].raw_data.parentHash).toBe(parent);
      parent = block['blockID'] as string;
    }
    const total = (accounts as { balance?: number; frozenV2: { amount?: number }[] }[]).reduce(
      (sum, it) =>
        sum + BigInt(it.balance ?? 0) + it.frozenV2.reduce((part, { amount = 0 }) => part + BigInt(amount), 0n),
      0n,
    );
    expect(total + BigInt(network.burned_sun)).toBe(
      (10_000_000_000n + 19_000_000_000n + 27_000_000_000n + 20_000n) * 1_000_000n,
    );
    for (const { txID, blockNumber } of transactions)
      expect(await chain.post('wallet/gettransactioninfobyid', { value: txID })).toMatchObject({ blockNumber });
  });

  it('refuses a data directory that another one uses, and says so', async () => {
    await start('--block', 'manual');
    const second = new Child([program, '--port', '0', '--data', directory]);
    expect(await second.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`${directory} is in use by another local chain`),
    });
  });

  it('ends cleanly when asked to', async () => {
    const { child } = await start();
    expect(await child.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });

  it('ends by itself when the process that started it with a channel is gone', async () => {
    const child: ChildProcess = fork(program, ['--port', '0', '--data', directory], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit');
    await once(child.stdout!, 'data');
    child.disconnect();
    expect(await ended).toEqual([0, null]);
  });

  it('is another network every time it begins from nothing, and the same one after a restart', async () => {
    const { chain, child } = await start();
    const first = await genesis(chain);
    await child.stop('SIGTERM');
    expect(await genesis((await start()).chain)).toBe(first);
    const other = await TestChain.start();
    expect(await genesis(other)).not.toBe(first);
    await other.close();
  });

  it('lists its options, and says what is wrong with them', async () => {
    expect(await new Child([program, '--help']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--solid-lag'),
    });
    for (const wrong of [
      ['--witnesses', '27', '--solid-lag', '20'],
      ['--witnesses', '0'],
      ['--witnesses', '1001'],
      ['--solid-lag', '702'],
      ['--parameter', '51'],
      ['--parameter', '9999=1'],
      ['--parameter', '51=1', '--parameter', '51=0'],
      ['--bandwidth-stake', '-1'],
    ])
      expect(await new Child([program, ...wrong]).ended).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(wrong[0]!),
      });
    expect(await new Child([program, '--block', 'soon']).ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--block'),
    });
    expect(await new Child([program, '--colour', 'red']).ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--colour'),
    });
  });
});
