import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type Caller, OrderWorld } from '../../support/order-world';

/** More than an instance looks back at the head chain when it starts. */
const BLOCKS_MISSED = 100;

describe('orders whose blocks no instance read for long', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      backgroundWork: false,
      env: { DELEGATION_ANSWER: 'accepted' },
    });
    await world.control('block', { count: 6 });
  });
  afterAll(() => world.close());

  const place = async (caller: Caller) => {
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(answer.status).toBe(200);
    return answer.headers.get('x-delegation-id')!;
  };
  const drop = () =>
    world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'accept-then-drop', count: 1 });
  const stateOf = async (id: string) => (await world.show(id))!.state;

  /** One order that lands and one that does not; both expire, and no instance looks. */
  async function twoExpired(): Promise<{ landed: string; forgotten: string }> {
    const caller = await world.caller();
    await drop();
    const forgotten = await place(caller);
    const landed = await place(caller);
    await world.untilPending();
    await world.control('block');
    await world.control('clock', { ms: 61_000 });
    await world.control('block', { count: BLOCKS_MISSED });
    return { landed, forgotten };
  }

  it('are dead by what the solid chain was read to, not by how far it has come: the one that landed is charged', async () => {
    const { landed, forgotten } = await twoExpired();
    const follower = await world.startInstance();
    await untilSettled(world.app.sql);
    expect([await stateOf(landed), await stateOf(forgotten)]).toEqual(['delegated', 'failed']);
    await expectChainTruth(world);
    await world.stopInstance(follower);
  });

  it('are not dead while what was found in a block cannot be settled', async () => {
    await world.app.app.get(ReferenceBlocks).refresh();
    const { landed, forgotten } = await twoExpired();
    await world.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
    );
    await world.query(
      `create trigger refuse before update on delegations for each row
         when (new.id = '${landed}' and new.state = 'delegated') execute function refuse()`,
    );
    const follower = await world.startInstance();
    await world.untilState(forgotten, 'failed');
    // Settled in a later turn than that.
    await world.app.app.get(ReferenceBlocks).refresh();
    const later = await place(await world.caller());
    await world.control('block', { count: 6 });
    await world.untilState(later, 'delegated');
    expect(await stateOf(landed)).toBe('sent');
    await world.query(`drop trigger refuse on delegations`);
    await world.untilState(landed, 'delegated');
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
    await world.stopInstance(follower);
  });
});
