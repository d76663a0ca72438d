import { expectChainTruth } from '../support/chain-truth';
import { NodeProxy } from '../support/node-proxy';
import { OrderWorld } from '../support/order-world';

const BROADCAST = 'wallet/broadcasttransaction';

describe('several instances', () => {
  it('one stopped past its lease and continued: its late writes change nothing', async () => {
    let proxy!: NodeProxy;
    const world = await OrderWorld.open({
      block: 'manual',
      env: { ANSWER_TIMEOUT: '1s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await world.control('block');
    const caller = await world.caller({ balance: 3 });
    const child = await world.startProcess();
    let goOn!: () => void;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    proxy.after = async (call, answer) => {
      if (call.route === BROADCAST) await held;
      return answer;
    };
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const key = { 'idempotency-key': 'stopped' };
    const first = world.delegate(caller, body, key, child);
    await world.untilPending();
    child.process.kill('SIGSTOP');

    await world.query(`update delegations set claimed_until = now() - interval '1 second' returning id`);
    const unanswered = await world.delegate(caller, body, key);
    expect(unanswered.headers.get('x-error-code')).toBe('OUTCOME_UNKNOWN');
    const before = await world.query(`select answer, answer_code, answered_at, epoch from delegations`);
    expect(before).toMatchObject([{ answer: 'failure', epoch: 1 }]);

    goOn();
    child.process.kill('SIGCONT');
    const late = await first;
    expect([late.status, late.text, late.headers.get('x-delegation-id')]).toEqual([
      unanswered.status,
      unanswered.text,
      unanswered.headers.get('x-delegation-id'),
    ]);
    expect(await world.query(`select answer, answer_code, answered_at, epoch from delegations`)).toEqual(before);

    // It had been sent: it lands, is not charged, and comes back.
    const id = unanswered.headers.get('x-delegation-id')!;
    await world.control('block', { count: 6 });
    await world.untilState(id, 'taking_back');
    await world.untilPending();
    await world.control('block', { count: 6 });
    await world.untilState(id, 'taken_back');
    await expectChainTruth(world);
    await world.close();
    await proxy.close();
  });
});
