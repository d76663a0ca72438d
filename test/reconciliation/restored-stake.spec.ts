import { DatabaseBackup } from '../support/database-backup';
import { type Caller, OrderWorld } from '../support/order-world';

describe('two orders of one wallet and receiver around a backup', () => {
  let world: OrderWorld;
  let caller: Caller;
  let backup: DatabaseBackup;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 200 });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await backup.drop();
  });
  it('leave the second one its energy', async () => {
    const receiver = await world.receiver();
    const place = async () => {
      const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
      expect(answer.status).toBe(200);
      const id = answer.headers.get('x-delegation-id')!;
      await world.untilState(id, 'delegated');
      return id;
    };
    const [first] = [await place(), await place()];
    const due = () =>
      world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [
        first,
      ]);
    backup = await DatabaseBackup.of(world.database.url);
    await due();
    await world.untilState(first, 'reclaimed');
    const left = await world.energyOf(receiver);
    await world.stopInstance(world.app);
    await backup.replace();
    await world.startInstance();
    await due();
    await new Promise((r) => setTimeout(r, 8000));
    expect(await world.energyOf(receiver)).toBe(left);
  }, 90_000);
});
