import { CheckEverything } from '../../src/reconciliation/check-everything';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { countOf } from '../support/bar';
import { untilSettled } from '../support/chain-truth';
import { Gateway } from '../support/gateway';
import { OrderWorld } from '../support/order-world';
import type { TestApp } from '../support/test-app';

/** A thousand with `SAFETY_SHARE=1`. */
const ORDERS = countOf(1_000, 250);

describe('many live orders behind a gateway with fifteen calls a second', () => {
  let world: OrderWorld;
  let gateway: Gateway;
  let instance: TestApp;
  beforeAll(async () => {
    world = await OrderWorld.open({ time: 'virtual', block: 500, env: { DELEGATION_ANSWER: 'accepted' } });
    const callers = await Promise.all(Array.from({ length: 50 }, () => world.caller()));
    for (let at = 0; at < ORDERS; at += callers.length) {
      const answers = await Promise.all(
        callers.map(async (caller) => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
    await untilSettled(world.app.sql);
    gateway = new Gateway(world.chain.url, 15);
    instance = await world.startInstance({ TRON_FULL_NODE_URLS: await gateway.open() }, false);
  });
  afterAll(async () => {
    await world.close();
    await gateway.close();
  });

  it('are compared in full by an audit, which finishes and finds nothing', async () => {
    const report = await instance.app.get(CheckEverything).run();
    expect(report).toMatchObject({ ok: true, checked: { pairs: ORDERS } });
    // One call a pair, and a few around them.
    expect(gateway.arrivalsMs.length - gateway.refused.length).toBeLessThan(ORDERS + 50);
  });

  it('are compared by the reconciler too, which notes its success', async () => {
    const report = await instance.app.get(Reconciler).run('changed');
    expect(report).toMatchObject({ ok: true, checked: { pairs: ORDERS }, paused: [] });
    expect(
      await world.query(`select succeeded_at > now() - interval '1 minute' as lately from reconcile_mark`),
    ).toEqual([{ lately: true }]);
  });
});
