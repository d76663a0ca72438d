import { ChainReads } from '../../src/chain/tron/node/chain-reads';
import { DiagnoseMinimum } from '../../src/deposits/diagnose-minimum';
import { SharedCommandLine } from '../support/shared-command-line';
import { DepositWorld, XPUB } from './deposit-world';

const SWEEP_ENERGY = 64_285n;
const ACTIVATION_SUN = 2_100_000n;

describe('the smallest USDT deposit', () => {
  let deposits: DepositWorld;
  beforeAll(async () => (deposits = await DepositWorld.open({ env: { DEPOSIT_MIN_USDT: '1' } })));
  afterAll(() => deposits.close());

  const found = () => deposits.world.app.app.get(DiagnoseMinimum).run();

  it('is found by doctor when it is worth less than its sweep takes, and not when it is worth just that', async () => {
    const { world } = deposits;
    const energySun = SWEEP_ENERGY * (await world.app.app.get(ChainReads).energyPriceSun());
    expect(await found()).toEqual([]);
    await deposits.rate(energySun + ACTIVATION_SUN);
    expect(await found()).toEqual([]);
    await deposits.rate(energySun + ACTIVATION_SUN - 1n);
    expect(await found()).toMatchObject([{ kind: 'deposit_minimum_low', subject: 'DEPOSIT_MIN_USDT' }]);
    const settings = { TRON_FULL_NODE_URLS: world.chain.url, DEPOSIT_XPUB: XPUB, DEPOSIT_MIN_USDT: '1' };
    const cli = SharedCommandLine.on(world.database.url, settings);
    try {
      const { stdout } = await cli.runWith(cli.env, 'doctor', '--json');
      const { warnings } = JSON.parse(stdout) as { warnings: { kind: string; reason: string }[] };
      const [warning] = warnings.filter(({ kind }) => kind === 'deposit_minimum_low');
      expect(warning!.reason).toContain('its sweep takes 64,285 energy');
    } finally {
      await cli.close();
    }
  });
});
