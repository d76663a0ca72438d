import { NodeProxy } from '../../support/node-proxy';
import { until } from '../../support/until';
import { TRX } from '../deposit-world';
import { SweepWorld } from './sweep-world';

describe('a sweep that its only node calls refused and gives to the network all the same', () => {
  let sweeps: SweepWorld;
  let node: NodeProxy;
  beforeAll(async () => {
    sweeps = await SweepWorld.open({
      nodeUrl: async (url) => {
        node = new NodeProxy(url);
        return node.open();
      },
    });
  });
  afterAll(async () => {
    await sweeps.close();
    await node.close();
  });

  const isBroadcast = ({ route }: { route: string }) => route === 'wallet/broadcasttransaction';
  const sent = () => node.calls.filter(isBroadcast).length;

  it('is what blocks say of it, and is sent again once a fork has dropped its block', async () => {
    const address = await sweeps.holding(5 * TRX);
    await sweeps.settle();
    const plan = await sweeps.plan();
    node.after = (call, answer) =>
      isBroadcast(call) ? JSON.stringify({ code: 'CONTRACT_VALIDATE_ERROR', message: '6c6965' }) : answer;
    await sweeps.take(await sweeps.sign(plan.file));
    await sweeps.send();
    await sweeps.untilState(address, 'refused');
    node.after = (_, answer) => answer;
    await sweeps.deposits.mine();
    await sweeps.untilState(address, 'included');
    const before = sent();
    await sweeps.world.control('fork', { from: await sweeps.deposits.head(), keep: [] });
    await sweeps.deposits.mine(2);
    await until('its bytes sent again', () => Promise.resolve(sent() > before));
    await sweeps.settle();
    await sweeps.untilState(address, 'final');
    expect(await sweeps.sunOf(address)).toBe(0n);
    expect(await sweeps.of(address)).toHaveLength(1);
  });
});
