import { ChainAdminService } from '../../../src/admin/chain-admin.service';
import { JudgeSweeps } from '../../../src/deposits/sweeps/judge-sweeps';
import { asksForBlocks, editBlocks } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { stopTurns } from '../../support/scheduled-turns';
import { until } from '../../support/until';
import { ANN, SweepWorld } from './sweep-world';

/** No root of a block makes what its call did provable: an operator has accepted what nodes list. */
describe('a sweep of USDT in a block that was accepted without proof', () => {
  let sweeps: SweepWorld;
  let node: NodeProxy;
  beforeAll(async () => {
    sweeps = await SweepWorld.open({
      time: 'virtual',
      nodeUrl: (url) => {
        node = new NodeProxy(url);
        return node.open();
      },
    });
    await sweeps.deposits.rate(3_000_000n);
    await stopTurns(sweeps.world.app.app);
  });
  afterEach(() => {
    node.after = (_, answer) => answer;
    node.status = () => undefined;
  });
  afterAll(async () => {
    await sweeps.close();
    await node.close();
  });

  const judge = () => sweeps.world.app.app.get(JudgeSweeps).run();

  /** Its call is in such a block, and waits to be judged. Gives the address and the height. */
  async function landed(succeeds = true): Promise<{ address: string; number: number }> {
    const address = await sweeps.holdingUsdt(30_000_000);
    await sweeps.settle();
    await sweeps.sendAtOnce(address);
    if (!succeeds) await sweeps.world.control('token', { address, balance: 7 });
    const txid = (await sweeps.of(address))[0]!.tx_id;
    await sweeps.world.control('transaction', { hidden_field: true, txid });
    await sweeps.deposits.mine();
    const number = await sweeps.deposits.head();
    await sweeps.deposits.mine(6);
    await until('the block final here', async () => {
      const accepting = sweeps.world.app.app.get(ChainAdminService).acceptBlock(number, ANN);
      return accepting.then(
        () => true,
        () => false,
      );
    });
    await sweeps.world.untilRow('select 1 from deposit_sweeps where address = $1 and block_number = $2', [
      address,
      number,
    ]);
    await sweeps.settle();
    return { address, number };
  }
  /** After another payment. */
  async function expectPlanned(address: string, units: bigint): Promise<void> {
    await sweeps.deposits.payUsdt(address, 20_000_000);
    await sweeps.settle();
    await sweeps.plan();
    expect((await sweeps.of(address))[0]).toMatchObject({ state: 'planned', asset: 'USDT', amount: units });
  }

  it('is final where its call is listed as a success, and the next plan has what is paid then', async () => {
    const { address } = await landed();
    await judge();
    expect(await sweeps.of(address)).toMatchObject([{ state: 'final', error: null }]);
    expect(await sweeps.usdtOf(address)).toBe(0n);
    await expectPlanned(address, 20_000_000n);
  });

  it('is failed where its call is listed as a failure, and the next plan has what is held', async () => {
    const { address } = await landed(false);
    await judge();
    expect(await sweeps.of(address)).toMatchObject([
      { state: 'failed', error: expect.stringContaining('failed in the block') },
    ]);
    await expectPlanned(address, 20_000_007n);
  });

  it('is never final by another list than was accepted: it is failed once the nodes agree on that, not while none answers', async () => {
    const { address, number } = await landed(false);
    node.status = ({ route }) => (route === 'wallet/getblockbynum' ? 500 : undefined);
    await judge();
    expect(await sweeps.of(address)).toMatchObject([{ state: 'included' }]);
    node.status = () => undefined;
    node.after = (call, answer) =>
      asksForBlocks(call)
        ? editBlocks(answer, (block) =>
            block.block_header.raw_data.number === number
              ? {
                  ...block,
                  transactions: block.transactions?.map((one) => ({ ...one, ret: [{ contractRet: 'SUCCESS' }] })),
                }
              : block,
          )
        : answer;
    await judge();
    expect(await sweeps.of(address)).toMatchObject([
      { state: 'failed', error: expect.stringContaining('cannot be proved') },
    ]);
    await expectPlanned(address, 20_000_007n);
  });

  it.each([1, 2, 3])('is not failed where call %i to a node fails while it is judged', async (failing) => {
    const { address } = await landed();
    let asked = 0;
    node.status = ({ route }) => (route === 'wallet/getblockbynum' && ++asked === failing ? 500 : undefined);
    await judge();
    expect(['included', 'final']).toContain((await sweeps.of(address))[0]!.state);
    node.status = () => undefined;
    await judge();
    expect(await sweeps.of(address)).toMatchObject([{ state: 'final', error: null }]);
  });

  it('is judged although more of those that no node shows landed before it than a run looks at', async () => {
    await sweeps.unknown(90, 7_000, { state: 'included', blockNumber: 1 });
    const { address } = await landed();
    for (let run = 0; run < 3; run++) await judge();
    expect(await sweeps.of(address)).toMatchObject([{ state: 'final' }]);
  });
});
