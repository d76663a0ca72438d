import { DiagnoseNodes } from '../../../src/chain/pool/doctor/diagnose-nodes';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { asksForBlocks, editBlocks } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';

/** A network whose headers have a field, and its transactions too, that this version cannot encode. */
describe('CHAIN_PROOF=nodes', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 200,
      env: { CHAIN_PROOF: 'nodes' },
      nodeUrl: async (url) => {
        proxy = new NodeProxy(url);
        proxy.after = (call, answer) =>
          asksForBlocks(call)
            ? editBlocks(answer, (block) => {
                block.block_header.raw_data['stateRootV2'] = 'ab'.repeat(32);
                for (const transaction of block.transactions ?? []) Object.assign(transaction, { newField: '01' });
                return block;
              })
            : answer;
        return proxy.open();
      },
    });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  it('concludes from what the nodes have as solid', async () => {
    const caller = await world.caller();
    const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const [landed] = [await place()];
    expect(landed.status).toBe(200);
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'accept-then-drop', count: 1_000 });
    const lost = place();
    await world.untilRow(`select 1 from chain_transactions where state = 'sent'`);
    await lost;
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    expect(await world.show(landed.headers.get('x-delegation-id')!)).toMatchObject({ state: 'delegated' });
    await expectChainTruth(world);
    expect(await world.query('select 1 from witness_set')).toEqual([]);
  });

  it('is what doctor names where headers cannot be verified', async () => {
    const app = await world.startInstance({ CHAIN_PROOF: 'signatures' }, false);
    const found = await app.app.get(DiagnoseNodes).run();
    expect(found).toContainEqual(
      expect.objectContaining({
        kind: 'headers_unverifiable',
        next_step: expect.stringContaining('CHAIN_PROOF=nodes'),
      }),
    );
    const believing = await world.app.app.get(DiagnoseNodes).run();
    expect(believing.map(({ kind }) => kind)).not.toContain('headers_unverifiable');
  });
});
