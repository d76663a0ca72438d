import { NodeConnections } from '../../../../src/chain/tron/node/node-connections';
import { Capacity } from '../../../../src/chain/pool/wallets/capacity';
import { OrderHistories } from '../../../../src/delegation/order-histories';
import { ReclaimSweeper } from '../../../../src/delegation/reclaim/reclaim.sweeper';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { OrderWorld } from '../../../support/order-world';
import type { TestApp } from '../../../support/test-app';
import { until } from '../../../support/until';

const CALLERS = 12;
const LENT = 3;

describe('callers without money who order again and again at an instance with six calls a second', () => {
  let world: OrderWorld;
  let limited: TestApp;
  let isOver = false;
  const codes = new Set<string | null>();
  beforeAll(async () => {
    world = await OrderWorld.open({ time: 'virtual', block: 1_000, solidLag: 2, env: { RECLAIM_SWEEP: '1h' } });
    limited = await world.startInstance({ NODE_CALLS_PER_SECOND: '6' });
  });
  afterAll(() => world.close());

  async function flood(): Promise<void> {
    const [poor, receiver] = [await world.caller({ balance: 0 }), await world.receiver()];
    const orderAgain = async () => {
      while (!isOver) {
        const answer = await world.delegate(poor, { receiver_address: receiver, amount: 1 }, {}, limited);
        codes.add(answer.headers.get('x-error-code'));
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, orderAgain));
  }

  it('keep no energy lent: reclaims get their turns, and reach the node', async () => {
    const caller = await world.caller();
    const ids: string[] = [];
    for (let at = 0; at < LENT; at++) {
      const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
      ids.push(answer.headers.get('x-delegation-id')!);
    }
    await Promise.all(ids.map((id) => world.untilState(id, 'delegated')));
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' returning id`);

    // With so few calls, a reading may not fit between two blocks.
    const isRead = () =>
      limited.app
        .get(Capacity)
        .refresh()
        .then(() => true)
        .catch(() => false);
    await until('its wallets read', isRead);
    const flooded = flood();
    const queue = limited.app.get(NodeConnections).queue(world.chain.url);
    await until('they wait for each other', async () => queue.waiting >= CALLERS / 2);
    expect(await limited.app.get(ReclaimSweeper).sweep()).toMatchObject({ sent: LENT, failed: 0 });
    isOver = true;
    await flooded;
    expect([...codes]).toEqual(['INSUFFICIENT_BALANCE']);

    for (const id of ids) {
      const history = await world.app.app.get(OrderHistories).history(id);
      const sent = history.filter(({ kind }) => kind === 'reclaim sent');
      const answers = sent.flatMap(({ detail }) => detail['nodes'] as { code: string }[]);
      expect(answers.filter(({ code }) => code === 'UNDELIVERED')).toEqual([]);
      await world.untilState(id, 'reclaimed');
    }
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });
});
