import { countOf, record, timeFor } from '../support/bar';
import { untilSettled } from '../support/chain-truth';
import type { Answer } from '../support/order-world';
import { until } from '../support/until';
import { SignerProxy } from '../signer/service/signer-proxy';
import { SignerWorld } from '../signer/service/signer-world';
import type { Result } from '../signer/signer.fixture';
import { KeptAnswers } from './ended-orders';

const FULL = 50;
/** Orders at each fault. */
const ORDERS = countOf(FULL, 3);
const AT_ONCE = Math.min(ORDERS, 10);
const ROUNDS = Math.ceil(ORDERS / AT_ONCE);

const NO_BACK_OFF = 'update delegations set next_attempt_at = null where next_attempt_at is not null returning 1';
const OPEN = `select 1 from delegations where state not in ('failed', 'reclaimed', 'taken_back')`;
const SIGNED = `select tx_id from chain_transactions where purpose in ('delegation', 'reclaim', 'activation')`;

interface Fault {
  begin(): Promise<void>;
  /** Once it is there, while orders wait. */
  meanwhile?(): Promise<void>;
  end(): Promise<void>;
  /** What becomes of orders that the service asks for meanwhile; else it goes by how fast the signer is back. */
  readonly isRefused?: true;
  readonly bar: 2 | 5;
}

describe('while a signer', () => {
  let signed: SignerWorld;
  let proxy: SignerProxy;
  const answers = new KeptAnswers();
  beforeAll(async () => {
    signed = await SignerWorld.open({
      socketPath: async (signer) => (proxy = await SignerProxy.open(signer.socket)).socket,
      env: { RECLAIM_DELAY: '1ms', RECLAIM_SWEEP: '100ms', RECONCILE_EVERY: '24h' },
    });
  });
  afterAll(async () => {
    await signed.close();
    await proxy.close();
  });

  async function order(): Promise<Answer> {
    const { world } = signed;
    const answer = await world.delegate(await world.caller({ balance: 3 }), {
      receiver_address: await world.receiver(),
      amount: 1,
    });
    answers.keep(answer);
    return answer;
  }

  async function restart(
    limits: Readonly<Record<string, object>> = {},
    keys: Parameters<SignerWorld['configure']>[1] = {},
  ) {
    await signed.signer.stop('SIGKILL');
    signed.configure(limits, keys);
    await signed.startSigner();
    await signed.look();
  }

  const sendSignal = async (signal: NodeJS.Signals) => void signed.signer.process.process.kill(signal);
  const none = () => Promise.resolve();
  const killed = { end: none, bar: 2 } as const;
  const loses = (what: 'losesRequests' | 'losesAnswers') => async () => {
    proxy[what] = 1;
    proxy.onLost = () => restart();
  };
  let last: Result | undefined;
  const keepLast = ({ results }: { results: Result[] }) => {
    last = results.findLast(({ signature }) => signature !== undefined) ?? last;
    return { results };
  };
  /** Each gets the one of the request before it. */
  const swap = ({ results }: { results: Result[] }) => ({
    results: results.map((one) => {
      const { signature } = last!;
      last = one;
      return { ...one, signature };
    }),
  });

  const FAULTS: Readonly<Record<string, Fault>> = {
    'is killed before its log has a line': { begin: loses('losesRequests'), ...killed },
    'is killed between its log and its answer': { begin: loses('losesAnswers'), ...killed },
    'is gone': {
      ...killed,
      begin: async () => void (await signed.signer.stop('SIGKILL')),
      end: () => restart(),
      isRefused: true,
    },
    hangs: { begin: () => sendSignal('SIGSTOP'), end: () => sendSignal('SIGCONT'), isRefused: true, bar: 5 },
    'answers late': {
      begin: () => sendSignal('SIGSTOP'),
      meanwhile: async () => {
        await until('the second try', async () => proxy.posts.length > 1);
        await sendSignal('SIGCONT');
      },
      end: none,
      bar: 5,
    },
    'answers with signatures of other transactions': {
      begin: async () => void (proxy.change = swap),
      end: async () => void (proxy.change = keepLast),
      isRefused: true,
      bar: 5,
    },
    'has another key': {
      begin: async () => restart({}, { pool: await signed.backend.make('another') }),
      end: () => restart(),
      isRefused: true,
      bar: 5,
    },
    'is at its limit': {
      begin: () => restart({ pool: { stake_sun_per_hour: '1' } }),
      end: () => restart(),
      isRefused: true,
      bar: 5,
    },
  };

  it.each(Object.keys(FAULTS))(
    '%s, an order is answered with a signature of its own or refused with nothing held',
    async (name) => {
      const fault = FAULTS[name]!;
      const sum = { placed: 0, refused: 0 };
      for (let round = 0; round < ROUNDS; round++) {
        proxy.change = keepLast;
        await until('an order that is signed', async () => (await order()).status === 200);
        proxy.posts.length = 0;
        await fault.begin();
        const asked = Promise.all(Array.from({ length: AT_ONCE }, order));
        await fault.meanwhile?.();
        const refused = (await asked).filter(({ status }) => status !== 200);
        await fault.end();
        for (const { status, headers } of refused)
          expect([status, headers.get('x-error-code'), headers.get('x-delegation-id')]).toEqual([
            500,
            'SIGNER_UNAVAILABLE',
            null,
          ]);
        if (fault.isRefused) expect(refused).toHaveLength(AT_ONCE);
        sum.placed += AT_ONCE;
        sum.refused += refused.length;
      }
      expect([proxy.losesRequests, proxy.losesAnswers]).toEqual([0, 0]);
      const seen = `a signer ${name}: ${sum.refused} refused with nothing held, ${sum.placed - sum.refused} signed in time`;
      record(fault.bar, 'orders at each fault of a signer', sum.placed, FULL, seen);
    },
    timeFor(ORDERS, 10_000),
  );

  it('each that was answered is charged and taken back, by signatures that the log has, and nothing else is written', async () => {
    const { world } = signed;
    await until('an order that is signed', async () => (await order()).status === 200);
    await until('everything taken back', async () => {
      await world.query(NO_BACK_OFF);
      return (await world.query(OPEN)).length === 0;
    });
    await untilSettled(world.app.sql);
    const orders = await answers.expectToStand(world);
    expect(orders.filter(({ outcome }) => outcome !== 'charged')).toEqual([]);
    const logged = new Set(signed.signer.lines().map(({ txid }) => txid));
    const rows = await world.query(SIGNED);
    expect(rows.filter((row) => !logged.has(String(row['tx_id'])))).toEqual([]);
  });
});
