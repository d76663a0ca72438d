import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { NodeProxy } from '../../../support/node-proxy';
import { type Caller, OrderWorld } from '../../../support/order-world';

const BROADCAST = 'wallet/broadcasttransaction';

describe('an order whose answer meets something that cannot be stored', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      // Longer than a test may last: what waits for it is not answered here.
      env: { ANSWER_TIMEOUT: '5m' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(async () => {
    proxy.after = (_call, answer) => answer;
    await world.query(`drop trigger if exists refuse on delegations`);
    await world.query(`drop trigger if exists refuse on delegation_events`);
    // Refused for its own fault by one of them, the wallet would rest.
    await world.query(`update pool_wallets set refusals = 0, resting_until = null`);
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const refuse = async (table: string, when: string) => {
    // A sequence counts what is rolled back too.
    await world.query(`create sequence if not exists refused`);
    await world.query(`alter sequence refused restart`);
    await world.query(`create or replace function refuse() returns trigger language plpgsql as
      $$ begin if ${when} then perform nextval('refused'); raise exception 'refused by a test'; end if; return new; end $$`);
    await world.query(
      `create trigger refuse before insert or update on ${table} for each row execute function refuse()`,
    );
  };

  it.each([
    ['{"code":"SIGERROR","message":"6100"}', 'INTERNAL'],
    ['{"code":"SERVER_BUSY","message":"\\u0000\\ud800"}', 'NODE_UNAVAILABLE'],
    ['{"code":"\\u0000"}', 'OUTCOME_UNKNOWN'],
    ['{"Error":"class a.B : \\u0000"}', 'OUTCOME_UNKNOWN'],
    ['{"txid":"\\u0000"}', 'OUTCOME_UNKNOWN'],
  ])('is answered as ever when a node says %s', async (said, code) => {
    await place();
    proxy.after = ({ route }, answer) => (route === BROADCAST ? said : answer);
    const answer = await place();
    // The bytes were taken: a block shows them, unless the refusal was believed.
    expect(answer.headers.get('x-error-code') ?? 'success').toBe(code === 'OUTCOME_UNKNOWN' ? 'success' : code);
  });

  it('is answered with a failure without waiting when what the node said cannot be written down', async () => {
    await place();
    await refuse('delegation_events', `new.kind = 'delegation sent'`);
    const result = await place();
    expect(result.headers.get('x-error-code')).toBe('OUTCOME_UNKNOWN');
    expect(await world.show(result.headers.get('x-delegation-id')!)).toMatchObject({ answer: 'failure', cost_sun: 0n });
  });

  it('is answered with a failure without waiting when its success cannot be committed', async () => {
    await place();
    await refuse('delegations', `new.answer = 'success'`);
    expect((await place()).headers.get('x-error-code')).toBe('OUTCOME_UNKNOWN');
  });

  it('is not answered, and its connection is cut without waiting, when no answer can be committed', async () => {
    await place();
    await refuse('delegations', `new.answer <> 'none'`);
    const result = await place().then(
      ({ status }) => `status ${status}`,
      (error: Error) => error.message,
    );
    expect(result).toBe('fetch failed');
    // An outage would be tried through for half a minute, twice a second.
    const [refused] = await world.query('select last_value as tries from refused');
    expect(Number(refused!['tries'])).toBeLessThan(10);
  });
});
