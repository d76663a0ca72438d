import { CarryOut } from '../../src/stake-care/carry-out';
import { OperationRepository } from '../../src/stake-care/operation.repository';
import { PlanOperation } from '../../src/stake-care/plan-operation';
import { NodeProxy } from '../support/node-proxy';
import { until } from '../support/until';
import { ANN, CareWorld } from './care-world';

describe('an operation on stake that its only node calls refused and gives to the network all the same', () => {
  let care: CareWorld;
  let node: NodeProxy;
  beforeAll(async () => {
    care = await CareWorld.open({
      nodeUrl: async (url) => {
        node = new NodeProxy(url);
        return node.open();
      },
    });
  });
  afterAll(async () => {
    await care.world.close();
    await node.close();
  });

  const isBroadcast = ({ route }: { route: string }) => route === 'wallet/broadcasttransaction';
  const sent = () => node.calls.filter(isBroadcast).length;
  const state = async () => (await care.states()).join();

  it('is what blocks say of it, and is sent again once a fork has dropped its block', async () => {
    node.after = (call, answer) =>
      isBroadcast(call) ? JSON.stringify({ code: 'CONTRACT_VALIDATE_ERROR', message: '6c6965' }) : answer;
    await care.care();
    await care.run();
    expect(await state()).toBe('vote refused');
    node.after = (_, answer) => answer;
    await care.blocks(1);
    await until('its block seen', async () => (await state()) === 'vote included');
    const before = sent();
    const { block_header: head } = await care.world.node('wallet/getnowblock');
    const { number } = (head as { raw_data: { number: number } }).raw_data;
    await care.world.control('fork', { from: number, keep: [] });
    await care.blocks(2);
    await until('its bytes sent again', () => Promise.resolve(sent() > before));
    await care.settle();
    expect(await state()).toBe('vote final');
    expect((await care.votes()).reduce((sum, count) => sum + count, 0)).toBe(await care.power());
  });

  it('stays as blocks have decided it when the answer of its node comes late', async () => {
    const { app } = care.world.app;
    await care.care({ votes: [], claims: false });
    const wanted = { name: 'pool', kind: 'freeze', resource: 'energy', amountSun: 7_000_000n } as const;
    const operation = await app.get(PlanOperation).plan(ANN, wanted);
    await app.get(CarryOut).carryOut(operation);
    await care.settle();
    const operations = app.get(OperationRepository);
    await operations.sent(operation.id);
    await operations.refused(operation.id, 'late');
    expect(await operations.find(operation.id)).toMatchObject({ state: 'final', error: null });
  });
});
