import { RepeatedBroadcasts } from '../../../src/chain/transactions/outbox/repeated-broadcasts';
import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { Clock } from '../../../src/common/clock';
import { HeldLock } from '../../support/held-lock';
import { SettableClock } from '../../support/movable-clock';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';

const BROADCAST = 'wallet/broadcasttransaction';
const ANSWER_MS = 20_000;
const CLAIM_MS = ANSWER_MS + 10_000;
/** From the claim to the first sending: the answer is due this much less than a claim later, and so after its end. */
const WRITTEN_MS = 10_100;

/** The claim may end before its answer is due; from then on another instance may answer with a failure, and the caller order again. */
describe('bytes that one node has taken, and that no block has at half of the time', () => {
  const clock = new SettableClock();
  let world: OrderWorld;
  let caller: Caller;
  let first: NodeProxy;
  let second: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      backgroundWork: false,
      env: { ANSWER_TIMEOUT: `${ANSWER_MS / 1_000}s` },
      nodeUrl: async (url) => {
        [first, second] = [new NodeProxy(url), new NodeProxy(url)];
        return `${await first.open()},${await second.open()}`;
      },
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
    });
    await world.control('block', { count: 6 });
    await world.untilWalletsRead();
    caller = await world.caller({ balance: 100 });
  });
  afterAll(async () => {
    await world.close();
    await Promise.all([first, second].map((node) => node.close()));
  });

  /** How often the second node gets the bytes of an order that the first one has taken so long after the claim on it began. */
  async function sentToSecond(takenMs: number): Promise<number> {
    await world.control('block', { count: 6 });
    await world.app.app.get(ReferenceBlocks).refresh();
    first.calls.length = second.calls.length = 0;
    first.answers = ({ route, body }) => {
      if (route !== BROADCAST) return undefined;
      if (first.count(BROADCAST) === 1) clock.advance(takenMs - WRITTEN_MS);
      return JSON.stringify({ result: true, txid: body['txID'] });
    };
    const account = `select 1 from accounts where user_id = $1 for update`;
    const lock = await HeldLock.take(world.database.url, account, [caller.id]);
    const answer = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await lock.untilWaiting(1);
    clock.advance(WRITTEN_MS);
    await lock.release();
    expect((await answer).headers.get('x-delegation-state')).toBe('accepted');
    await world.app.app.get(RepeatedBroadcasts).ended();
    return second.count(BROADCAST);
  }

  it('go to every node while the claim on their order lasts', async () => {
    expect(await sentToSecond(CLAIM_MS - 50)).toBe(1);
  });

  it('go to none once it has ended, although the caller is not answered yet', async () => {
    expect(await sentToSecond(CLAIM_MS + 50)).toBe(0);
  });
});
