import { toHexAddress } from '../../src/chain/tron/addresses';
import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { stealthily } from '../support/by-hand';
import { type BlockJson, editBlocks } from '../support/forged-blocks';
import { type NodeCall, NodeProxy } from '../support/node-proxy';
import { OrderWorld } from '../support/order-world';
import { stopReconcilerTurns } from '../support/scheduled-turns';
import { until } from '../support/until';

const TRX = 1_000_000;
const HEAD = 'walletsolidity/getblock';
const ACCOUNT = 'walletsolidity/getaccount';

/** The same block said to be of another height, and its id as well. */
function said(block: BlockJson, number: number): BlockJson {
  const { raw_data: raw } = block.block_header;
  const blockID = number.toString(16).padStart(16, '0') + block.blockID.slice(16);
  return { ...block, blockID, block_header: { ...block.block_header, raw_data: { ...raw, number } } };
}

describe('what a wallet did that the outbox does not know, where one of two nodes lies', () => {
  let world: OrderWorld;
  let first: NodeProxy;
  let second: NodeProxy;
  let stranger: string;
  let activate: string;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 200,
      env: { RECONCILE_EVERY: '24h' },
      nodeUrl: async (url) => {
        [first, second] = [new NodeProxy(url), new NodeProxy(url)];
        return `${await first.open()},${await second.open()}`;
      },
    });
    await stopReconcilerTurns(world.app.app);
    stranger = await world.receiver();
    activate = world.chain.accounts.find(({ role }) => role === 'activate')!.address;
  });
  afterAll(async () => {
    await world.close();
    await Promise.all([first.close(), second.close()]);
  });
  afterEach(async () => {
    for (const node of [first, second]) node.after = (_, answer) => answer;
    await world.query(`update findings set resolved_at = now() where resolved_at is null returning id`);
    await world.query(`update pool_wallets set state = 'active', paused_by_reconciler = false returning id`);
    await readWallets();
    await world.query(
      `update wallet_views set explained = newest, explained_block = newest_block, explained_until = newest_until, used_block = null returning 1`,
    );
  });

  const reconciler = () => world.app.app.get(Reconciler);
  const open = async () =>
    (await world.app.app.get(FindingRepository).list())
      .filter(({ kind }) => kind === 'wallet_used')
      .map(({ reason_code: code, subject }) => `${code} ${subject}`);
  const explainedBlock = async () => {
    const [view] = await world.query(
      `select explained_block::integer as block from wallet_views v join pool_wallets w on w.id = v.wallet_id where w.name = 'activate'`,
    );
    return Number(view!['block']);
  };
  const solid = async () => {
    const { block_header: header } = (await world.node(HEAD, { detail: false })) as unknown as BlockJson;
    return header.raw_data.number;
  };
  const balance = async () => Number((await world.node(ACCOUNT, { address: activate, visible: true }))['balance']);
  async function readWallets(): Promise<void> {
    const above = await solid();
    await until('a newer reading of each wallet', async () => {
      await world.tryToReadWallets();
      return (await world.query(`select 1 from wallet_views where newest_block < $1`, [above])).length === 0;
    });
  }
  /** As a node that knows an old state, or hides the new one, of this one wallet. */
  const showing = (call: NodeCall, answer: string, sun: number) =>
    isOfWallet(call) ? answer.replace(/("balance":\s*)\d+/, `$1${sun}`) : answer;
  const isOfWallet = ({ route, body }: NodeCall) =>
    route === ACCOUNT && [activate, toHexAddress(activate)].includes(String(body['address']));
  const tooHigh = (answer: string) =>
    editBlocks(answer, (block) => said(block, block.block_header.raw_data.number + 1_000_000));
  /** By no transaction, as if no node had its block. Its balance before. */
  async function loseTrx(): Promise<number> {
    const before = await balance();
    const changedAbove = await solid();
    await world.control('account', { address: activate, balance_sun: before - 7 * TRX });
    await until('it is solid', async () => (await solid()) > changedAbove && (await balance()) < before);
    await readWallets();
    return before;
  }

  it('is found by the audit and by a run under a height that the chain does not have', async () => {
    const sun = await balance();
    const txId = await stealthily(world, 'activate', (tronWeb, owner) =>
      tronWeb.transactionBuilder.sendTrx(stranger, 5 * TRX, owner),
    );
    first.after = (call, answer) => (call.route === HEAD ? tooHigh(answer) : showing(call, answer, sun));
    const { findings } = await world.audit();
    expect(findings.map(({ code, subject }) => `${code} ${subject}`)).toContain(`wallet_used activate ${txId}`);
    await readWallets();
    expect(await reconciler().run('changed')).toMatchObject({ paused: ['activate'] });
    expect(await open()).toEqual([`wallet_used activate ${txId}`]);
    expect(await explainedBlock()).toBeLessThanOrEqual(await solid());
  });

  it('is a difference that no block explains once two nodes show it, and none while the other lies under such a height', async () => {
    const before = await explainedBlock();
    const sun = await loseTrx();
    first.after = (call, answer) => (call.route === HEAD ? tooHigh(answer) : showing(call, answer, sun));
    await reconciler().run('changed');
    expect([await open(), await explainedBlock()]).toEqual([[], before]);
    first.after = (_, answer) => answer;
    await readWallets();
    await reconciler().run('changed');
    expect(await open()).toEqual([expect.stringMatching(/^wallet_changed activate/)]);
    expect(await explainedBlock()).toBeLessThanOrEqual(await solid());
  });

  describe.each([
    ['first', () => first],
    ['second', () => second],
  ])('of which the %s', (_, liar) => {
    it('shows the account for ever as it was: is found at rest by the audit and by a run, once', async () => {
      const frozen = JSON.stringify(await world.node(ACCOUNT, { address: toHexAddress(activate) }));
      liar().after = (call, answer) => (isOfWallet(call) ? frozen : answer);
      const txId = await stealthily(world, 'activate', (tronWeb, owner) =>
        tronWeb.transactionBuilder.sendTrx(stranger, 500 * TRX, owner),
      );
      const { findings } = await world.audit();
      expect(findings.map(({ code, subject }) => `${code} ${subject}`)).toContain(`wallet_used activate ${txId}`);
      await readWallets();
      expect(await reconciler().run('changed')).toMatchObject({ paused: ['activate'] });
      expect(await open()).toEqual([`wallet_used activate ${txId}`]);
      const before = await explainedBlock();
      await readWallets();
      expect(await reconciler().run('changed')).toMatchObject({ paused: [] });
      expect(await open()).toEqual([`wallet_used activate ${txId}`]);
      expect(await explainedBlock()).toBeGreaterThan(before);
    });

    it('says alone that TRX are gone: makes no finding, and pauses nothing', async () => {
      const sun = await balance();
      liar().after = (call, answer) => showing(call, answer, sun - 500 * TRX);
      await readWallets();
      expect((await world.audit()).findings).toEqual([]);
      const before = await explainedBlock();
      expect(await reconciler().run('changed')).toMatchObject({ paused: [], findings: [] });
      expect([await open(), await explainedBlock()]).toEqual([[], before]);
    });

    it('says so while the other one is away: makes no finding either, and what was done since is found once that is back', async () => {
      const sun = await balance();
      const other = liar() === first ? second : first;
      liar().after = (call, answer) => showing(call, answer, sun - 500 * TRX);
      await other.refuse();
      await readWallets();
      const before = await explainedBlock();
      await reconciler()
        .run('changed')
        .catch(() => undefined);
      expect([await open(), await explainedBlock()]).toEqual([[], before]);
      await other.listen();
      const txId = await stealthily(world, 'activate', (tronWeb, owner) =>
        tronWeb.transactionBuilder.sendTrx(stranger, 3 * TRX, owner),
      );
      liar().after = (_call, answer) => answer;
      await readWallets();
      expect(await reconciler().run('changed')).toMatchObject({ paused: ['activate'] });
      expect(await open()).toEqual([`wallet_used activate ${txId}`]);
    });
  });

  it('is put off while a node shows what was before, and its blocks are looked at again', async () => {
    const before = await explainedBlock();
    const sun = await loseTrx();
    first.after = (call, answer) => showing(call, answer, sun);
    await reconciler().run('changed');
    expect([await open(), await explainedBlock()]).toEqual([[], before]);
    first.after = (_, answer) => answer;
    await readWallets();
    await reconciler().run('changed');
    expect(await open()).toEqual([expect.stringMatching(/^wallet_changed activate/)]);
    expect(await explainedBlock()).toBeGreaterThan(before);
  });
});
