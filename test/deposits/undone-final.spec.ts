import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalChain, startLocalChain } from '../../local-chain/src/local-chain';
import { ChainAdminService } from '../../src/admin/chain-admin.service';
import { FinalFeed } from '../../src/chain/observer/final-feed';
import { VerifiedChain } from '../../src/chain/verified-chain/verified-chain';
import { NodeProxy } from '../support/node-proxy';
import { until } from '../support/until';
import { addressAt, type Customer, DepositWorld, TRX } from './deposit-world';

/** A private net that was set back, and deposits that were final in the blocks it has lost. */
describe('deposits in final blocks that an accepted branch undoes', () => {
  let folders: string[];
  let proxy: NodeProxy;
  let deposits: DepositWorld;
  let other: LocalChain | null = null;
  beforeAll(async () => {
    folders = [mkdtempSync(join(tmpdir(), 'chain-')), mkdtempSync(join(tmpdir(), 'chain-'))];
    deposits = await DepositWorld.open({
      data: folders[0]!,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
  });
  afterAll(async () => {
    await deposits.close();
    await other?.close();
    await proxy.close();
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  const control = (chain: LocalChain, name: string, body: object) =>
    fetch(`${chain.url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) });
  const app = () => deposits.world.app.app;
  const place = async () =>
    (await deposits.world.query(`select number, id, trail from followed_blocks where subscriber = 'deposits'`))[0]!;
  const states = async (customer: Customer) =>
    (await deposits.list(customer)).map(({ asset, amount, state }) => `${amount} ${asset} ${state}`);

  it('are decided again by the branch, and what was credited stays and is named in the audit log', async () => {
    const customer = await deposits.customer();
    await deposits.mine(40);
    await deposits.untilFollowed();
    cpSync(folders[0]!, folders[1]!, { recursive: true });
    const fork = await deposits.head();
    await deposits.payTrx(customer.address, 5 * TRX);
    await deposits.payUsdt(customer.address, 20 * TRX);
    await deposits.payTrx(addressAt(40), 3 * TRX);
    await deposits.settle();
    await deposits.settle();
    const leftOut = () => deposits.world.query('select address from left_out_payments');
    expect(await leftOut()).toEqual([{ address: addressAt(40) }]);
    expect((await states(customer)).toSorted()).toEqual(['20 USDT waiting', '5 TRX credited']);
    const chain = app().get(VerifiedChain);
    const [before, undone] = [await place(), chain.headers!];
    expect(Number(before['number'])).toBeGreaterThan(fork);

    other = await startLocalChain({ block: 'manual', solidLag: 4, control: true, data: folders[1]! });
    proxy.target = other.url;
    await control(other, 'block', { count: 30 });
    const ready = async () => await (await fetch(`${deposits.world.app.url}/health/ready`)).text();
    await until('the branch refused', async () => (await ready()).includes('undoes final block'));
    const [fault] = await deposits.world.query(`select parameters ->> 'head_id' as id from chain_faults`);
    await app().get(ChainAdminService).acceptBranch(String(fault!['id']), { id: null, address: '127.0.0.1' });

    const [audit] = await deposits.world.query(
      `select before_after from (select to_jsonb(a) as before_after from audit_log a where action = 'chain.accept-branch') as one`,
    );
    const idsOf = async (asset: string) =>
      (await deposits.world.query('select id from deposits where asset = $1', [asset])).map(({ id }) => id);
    const text = JSON.stringify(audit);
    expect(text).toContain(`"deposits_credited":${JSON.stringify(await idsOf('TRX'))}`);
    expect(text).toContain(`"deposits_undecided":${JSON.stringify(await idsOf('USDT'))}`);

    await until('the scanner on the branch', async () => {
      const { number, id } = await place();
      return Number(number) > fork && chain.headers!.holds(number as bigint, String(id));
    });
    expect((await states(customer)).toSorted()).toEqual(['20 USDT dropped', '5 TRX credited']);
    expect(await deposits.balanceSun(customer)).toBe(5_000_000n);
    // Credited by an operator, it would be money that the branch does not have.
    expect(await leftOut()).toEqual([]);

    // An instance that has not learnt of it gives nothing of the undone blocks, from the shared one on.
    await deposits.world.query(
      `update followed_blocks set number = $1, id = $2 where subscriber = 'deposits' returning 1`,
      [undone.final!.number - 1, undone.at(undone.final!.number - 1)!.id],
    );
    const feed = app().get(FinalFeed);
    await feed.ended();
    // Its nodes show the undone branch.
    proxy.target = deposits.world.chain.url;
    feed.begin(() => undone, new AbortController().signal);
    await feed.ended();
    expect(Number((await place())['number'])).toBe(undone.final!.number - 1);
  });
});
