import { Reconciler } from '../../src/reconciliation/reconciler';
import { untilSettled } from '../support/chain-truth';
import { OrderWorld, type TokenCaller } from '../support/order-world';
import { stopReconcilerTurns } from '../support/scheduled-turns';

describe('what a token has used on a day', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    // Reconciled by hand.
    world = await OrderWorld.open({ env: { DELEGATION_ANSWER: 'accepted', RECONCILE_EVERY: '24h' } });
    await stopReconcilerTurns(world.app.app);
  });
  afterAll(() => world.close());

  const reconcile = (extent?: 'changed') => world.app.app.get(Reconciler).run(extent);
  const place = async (caller: TokenCaller) =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const dayOf = async ({ tokenId }: TokenCaller) =>
    (await world.query('select id::text as id, used_sun from token_days where token_id = $1', [tokenId]))[0]!;
  const stored = (id: unknown) =>
    world.query(`select reason, action_code, resolved_at is null as open from findings where subject = $1`, [
      `token day ${String(id)}`,
    ]);

  it('is found when its orders say otherwise, set to their sum, and no finding any more', async () => {
    const caller = await world.caller();
    await place(caller);
    await place(caller);
    await world.query('update token_days set used_sun = 1 where token_id = $1', [caller.tokenId]);
    const { findings, mended } = await reconcile('changed');
    const { id, used_sun: usedSun } = await dayOf(caller);
    expect(findings).toMatchObject([{ kind: 'token_used', about: { type: 'token_day', id } }]);
    expect([mended, usedSun]).toEqual([1, 6_000_000n]);
    const reason = expect.stringContaining('0.000001 TRX on ') as string;
    expect(await stored(id)).toEqual([{ reason, action_code: 'token_used_corrected', open: true }]);
    expect((await reconcile('changed')).findings).toEqual([]);
    expect(await stored(id)).toMatchObject([{ open: false }]);
  });

  it('that is too low by mistake keeps no money from being given back', async () => {
    const caller = await world.caller({ balance: 3 });
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'accept-then-drop', count: 1 });
    const { headers } = await place(caller);
    const id = headers.get('x-delegation-id')!;
    await world.query('update chain_transactions set resend = false where subject_id = $1', [id]);
    await world.query('update token_days set used_sun = 0 where token_id = $1', [caller.tokenId]);
    await world.control('clock', { ms: 61_000 });
    await world.untilState(id, 'failed');
    expect((await world.get(caller, '/api/user/balance')).body).toMatchObject({ data: { balance: 3 } });
    await untilSettled(world.app.sql);
    expect((await reconcile()).findings).toEqual([]);
  });

  it('that counts what its orders no longer use is found and set right', async () => {
    const caller = await world.caller({ balance: 3 });
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'SERVER_BUSY', count: 1 });
    await place(caller);
    await world.query('update token_days set used_sun = 3000000 where token_id = $1', [caller.tokenId]);
    expect((await reconcile()).findings).toMatchObject([{ kind: 'token_used' }]);
    expect(await dayOf(caller)).toMatchObject({ used_sun: 0n });
  });
});
