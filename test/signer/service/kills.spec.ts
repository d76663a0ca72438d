import { ensureBuild } from '../../support/build';
import { until } from '../../support/until';
import { SignerProxy } from './signer-proxy';
import { SignerWorld } from './signer-world';

describe('of service and signer', () => {
  let signed: SignerWorld;
  let proxy: SignerProxy;
  beforeAll(async () => {
    ensureBuild();
    signed = await SignerWorld.open({
      backgroundWork: false,
      socketPath: async (signer) => (proxy = await SignerProxy.open(signer.socket)).socket,
      limits: { pool: { stake_sun_per_hour: String(10 ** 15) } },
    });
  });
  afterAll(async () => {
    await signed.close();
    await proxy.close();
  });

  it('the service, killed between signature and commit, has held nothing: the order asked for again is made once', async () => {
    const { world } = signed;
    const caller = await world.caller();
    const receiver_address = await world.receiver();
    const order = (at: { readonly url: string }) =>
      world.delegate(caller, { receiver_address, amount: 1 }, { 'idempotency-key': 'once' }, at);
    const killed = await world.startProcess({ CRASH_AT: 'after-signature' });
    await until('ready to sign', async () => (await fetch(`${killed.url}/health/ready`)).status === 200);
    const before = signed.signer.lines().length;
    await expect(order(killed)).rejects.toThrow('fetch failed');
    await killed.ended;
    expect(killed.process.signalCode).toBe('SIGKILL');
    expect(signed.signer.lines().slice(before)).toMatchObject([{ key: 'pool', receiver: receiver_address }]);
    const rows = () => world.query('select state from delegations where receiver = $1', [receiver_address]);
    expect(await rows()).toEqual([]);
    const next = await world.startProcess();
    const answer = await order(next);
    expect(answer.status).toBe(200);
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
    expect(await rows()).toHaveLength(1);
    const entries = `select count(*)::int as charges from ledger_entries where user_id = $1 and kind = 'charge'`;
    expect(await world.query(entries, [caller.id])).toEqual([{ charges: 1 }]);
    await next.stop('SIGTERM');
  });

  it('the signer, killed between its log and its answer, signs the same bytes again once it is back, in time', async () => {
    const { world } = signed;
    const service = await world.startProcess();
    await until('ready to sign', async () => (await fetch(`${service.url}/health/ready`)).status === 200);
    const before = signed.signer.lines().length;
    proxy.losesAnswers = 1;
    proxy.onLost = async () => {
      await signed.signer.stop('SIGKILL');
      await signed.startSigner();
    };
    const receiver_address = await world.receiver();
    const answer = await world.delegate(await world.caller(), { receiver_address, amount: 1 }, {}, service);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([200, null]);
    const lines = signed.signer.lines().slice(before);
    expect(lines).toMatchObject([{ receiver: receiver_address }, { receiver: receiver_address }]);
    expect(lines[0]!.txid).toBe(lines[1]!.txid);
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
    await service.stop('SIGTERM');
  });
});
