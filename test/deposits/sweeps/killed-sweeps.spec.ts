import { CRASH_POINTS } from '../../../config/crash-point';
import { ensureBuild } from '../../support/build';
import { CommandLine } from '../../support/command-line';
import { XPUB } from '../deposit-world';
import { until } from '../../support/until';
import { SweepWorld } from './sweep-world';

const PLAN = 'after-sweep-plan';
const SIGNED = 'after-sweep-signed';

describe('a process that is killed with a sweep under way', () => {
  let sweeps: SweepWorld;
  beforeAll(() => ensureBuild());
  beforeEach(async () => {
    sweeps = await SweepWorld.open();
  });
  afterEach(() => sweeps.close());

  async function killedCommand(point: string, ...args: string[]): Promise<void> {
    const { database, chain } = sweeps.world;
    const env = { TRON_FULL_NODE_URLS: chain.url, DEPOSIT_XPUB: XPUB, DEPOSIT_SWEEP_TO: sweeps.treasury };
    const { stdout } = await CommandLine.on(database.url, { ...env, CRASH_AT: point }).run(...args);
    expect(stdout).toBe('');
  }
  async function swept(address: string, before: bigint): Promise<void> {
    await until('the sweep final', async () => {
      // A killed process has claimed it for a minute.
      await sweeps.due();
      await sweeps.deposits.mine();
      return (await sweeps.of(address))[0]?.state === 'final';
    });
    expect(await sweeps.of(address)).toHaveLength(1);
    expect(await sweeps.world.query('select purpose, state from chain_transactions')).toEqual([
      { purpose: 'sweep_trx', state: 'final' },
    ]);
    expect([await sweeps.sunOf(address), (await sweeps.sunOf(sweeps.treasury)) - before]).toEqual([0n, 5_000_000n]);
  }
  async function begin(): Promise<{ address: string; before: bigint }> {
    const address = await sweeps.holding(5_000_000);
    await sweeps.settle();
    return { address, before: await sweeps.sunOf(sweeps.treasury) };
  }

  it(`at ${PLAN} has written the file that goes with the rows`, async () => {
    const { address, before } = await begin();
    const file = sweeps.file();
    await killedCommand(PLAN, 'deposit:sweep-plan', file);
    expect(await sweeps.of(address)).toMatchObject([{ state: 'planned' }]);
    await sweeps.take(await sweeps.sign(file));
    await sweeps.send();
    await swept(address, before);
  });

  it(`at ${SIGNED} leaves the sending to the service, and the same file can be given again`, async () => {
    const { address, before } = await begin();
    const signed = await sweeps.signedFile((await sweeps.plan()).file);
    await killedCommand(SIGNED, 'deposit:sweep-send', signed);
    expect((await sweeps.of(address))[0]!.state).not.toBe('planned');
    await swept(address, before);
  });

  it.each(CRASH_POINTS.filter((point) => /sweep/.test(point) && point !== PLAN && point !== SIGNED))(
    'at %s has it sent once',
    async (point) => {
      const { address, before } = await begin();
      const signed = await sweeps.signedFile((await sweeps.plan()).file);
      await sweeps.world.stopInstance(sweeps.world.app);
      const killed = await sweeps.world.startProcess({ CRASH_AT: point });
      await sweeps.world.startInstance({}, false);
      await sweeps.takeFile(signed);
      await until('the process killed', async () => {
        await sweeps.deposits.mine();
        return killed.process.signalCode === 'SIGKILL';
      });
      await sweeps.world.startProcess();
      await swept(address, before);
    },
  );
});
