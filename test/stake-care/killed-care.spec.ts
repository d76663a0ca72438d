import { CRASH_POINTS } from '../../config/crash-point';
import { ensureBuild } from '../support/build';
import { until } from '../support/until';
import { ANN, CareWorld } from './care-world';

const TRX = 1_000_000n;
const KEY = 'CARE_KEY_OF_THE_SERVICE';
/** A process that plans by itself is killed at this one; at the others one that carries out what a command has planned. */
const PLANNED = 'after-stake-plan';

describe('a process that is killed with an operation on stake under way', () => {
  let care: CareWorld;
  beforeAll(() => ensureBuild());
  beforeEach(async () => {
    care = await CareWorld.open({ block: 150, backgroundWork: false });
  });
  afterEach(() => care.world.close());

  const start = (env: Record<string, string> = {}) => care.world.startProcess({ [KEY]: care.privateKey, ...env });
  /** What time does without a test having to wait. */
  const age = async () => {
    await care.world.query(`update stake_operations set claimed_until = now() - interval '1 second' returning id`);
    await care.world.query(`update job_runs set ran_at = ran_at - interval '1 minute' returning name`);
    await care.world.query(
      `update chain_transactions set created_at = created_at - interval '10 seconds', last_sent_at = last_sent_at - interval '10 seconds'
        where state in ('saved', 'sent') returning id`,
    );
  };
  const untilFinal = () =>
    until('the operation final', async () => {
      await age();
      const [operation] = await care.operations();
      return operation?.state === 'final';
    });
  const transactions = () => care.world.query(`select purpose, state from chain_transactions order by id`);

  it.each(CRASH_POINTS.filter((point) => /stake/.test(point) && point !== PLANNED))(
    'at %s has it done once',
    async (point) => {
      await care.care({ keySource: `env:${KEY}`, votes: [], claims: false });
      const before = await care.account();
      const killed = await start({ CRASH_AT: point });
      const { state } = await care.admin.freeze(ANN, 'pool', 50n * TRX, 'energy');
      expect(state).toBe('planned');
      await killed.ended;
      expect(killed.process.signalCode).toBe('SIGKILL');
      await start();
      await untilFinal();
      expect(await care.states()).toEqual(['freeze final']);
      expect(await transactions()).toEqual([{ purpose: 'freeze_energy', state: 'final' }]);
      await until('the solid view has it', async () => (await care.account()).balance !== before.balance);
      expect((await care.account()).balance).toBe(before.balance! - 50_000_000);
    },
  );

  it(`at ${PLANNED} leaves the vote of that period to another, which casts it once`, async () => {
    await care.care({ keySource: `env:${KEY}` });
    const killed = await start({ CRASH_AT: PLANNED });
    await until('the vote planned', async () => {
      // A look that a busy machine lets fail puts off the next one by half a minute, and the one after that by a minute.
      await care.world.query(`update stake_readings set tried_at = '-infinity', failures = 0 returning wallet_id`);
      return killed.process.signalCode !== null;
    });
    await killed.ended;
    expect([killed.process.signalCode, await care.states()]).toEqual(['SIGKILL', ['vote planned']]);
    await start();
    await untilFinal();
    expect(await care.states()).toEqual(['vote final']);
    expect(await transactions()).toEqual([{ purpose: 'vote', state: 'final' }]);
  });
});
