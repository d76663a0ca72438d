import { utils } from 'tronweb';
import { CareWorld } from '../stake-care/care-world';
import { until } from '../support/until';
import { SharedCommandLine } from '../support/shared-command-line';

interface Operation {
  readonly id: string;
  readonly wallet: string;
  readonly kind: string;
  readonly amount_sun: string | null;
  readonly state: string;
  readonly txid: string | null;
}

describe('the commands of a stake', () => {
  let care: CareWorld;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    care = await CareWorld.open({ block: 300 });
    cli = SharedCommandLine.on(care.world.database.url, { TRON_FULL_NODE_URLS: care.world.chain.url });
  });
  afterAll(() => Promise.all([cli.close(), care.world.close()]));

  const giveCare = (...options: string[]) =>
    cli.run('stake:care', 'pool', '--key-file', care.keyFile, '--permission-id', '3', ...options, '--json');
  const operate = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await cli.run(...args, '--json');
    return { exitCode, stderr, document: stdout === '' ? null : (JSON.parse(stdout) as Operation) };
  };

  it('refuse what is typed wrongly, and name what is missing', async () => {
    const vote = (shares: string) => giveCare('--vote', shares);
    const [one, two] = care.witnesses;
    for (const shares of ['', 'T1=60', `${one}=0`, `${one}=1.5`, `${one}=60,${one}=40`, `${one}=60;${two}=40`])
      expect([shares, (await vote(shares)).exitCode]).toEqual([shares, 2]);
    for (const args of [
      ['stake:care', 'pool'],
      ['stake:care', 'pool', '--off', '--claim', 'on'],
      ['stake:care', 'pool', '--key-file', '/x'],
      ['stake:care', 'pool', '--claim', 'yes'],
      ['stake:freeze', 'pool'],
      ['stake:freeze', 'pool', '--amount', '0'],
      ['stake:freeze', 'pool', '--amount', '1.0000001'],
      ['stake:freeze', 'pool', '--amount', '5', '--resource', 'power'],
    ])
      expect([args, (await cli.run(...args)).exitCode]).toEqual([args, 2]);
    for (const [args, said] of [
      [['stake:care', 'pool', '--claim', 'on'], 'has no stake care yet'],
      [['stake:care', 'pool', '--permission-id', '3'], 'has no stake care yet'],
      [['stake:care', 'activate', '--key-file', care.keyFile, '--permission-id', '3'], 'delegates no stake'],
      [['stake:care', 'nowhere', '--key-file', care.keyFile, '--permission-id', '3'], 'unknown pool wallet'],
      [['stake:vote', 'pool'], 'has no stake care'],
      [['stake:freeze', 'pool', '--amount', '0.5'], 'has no stake care'],
      [['stake:show', 'nowhere'], 'unknown pool wallet'],
    ] as const) {
      const { exitCode, stderr } = await cli.run(...args);
      expect([args, exitCode, stderr]).toEqual([args, 1, expect.stringContaining(said)]);
    }
    expect(await cli.json('stake:list')).toEqual([]);
  });

  it('show a stake without care, and give it care that doctor has no fault with', async () => {
    const [shown] = await cli.json<Record<string, unknown>[]>('stake:show');
    expect(shown).toEqual({
      name: 'pool',
      address: care.address,
      staked_energy_sun: '10000000000000',
      staked_bandwidth_sun: '1000000000000',
      lent_sun: '0',
      liquid_sun: expect.stringMatching(/^\d+$/) as string,
      power: 11_000_000,
      votes: [],
      idle_votes: 11_000_000,
      reward_sun: '0',
      last_claim_at: null,
      claim_due_at: null,
      unfreezing: [],
      unfreeze_slots_left: 32,
      yield_percent: null,
      orders_yield_percent: null,
      care: null,
    });
    const [one, two] = care.witnesses;
    const given = await giveCare('--vote', `${one}=60,${two}=40`, '--keep-liquid', '500');
    const document = {
      vote: [
        { witness: one, weight: 60 },
        { witness: two, weight: 40 },
      ],
      claim: true,
      restake: false,
      keep_liquid_sun: '500000000',
      permission_id: 3,
    };
    expect(given).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(given.stdout)).toEqual(document);
    expect(await cli.json('stake:care', 'pool', '--restake', 'on')).toEqual({ ...document, restake: true });
    expect(await cli.json('stake:care', 'pool', '--restake', 'off')).toEqual(document);
    expect((await cli.json<{ care: unknown }[]>('stake:show', 'pool'))[0]!.care).toEqual(document);
    const log = await care.world.query(`select after from audit_log where action = 'stake.care' and outcome = 'done'`);
    expect(JSON.stringify(log)).not.toContain(care.keyFile);
    expect(log[0]).toMatchObject({ after: { key_source: 'changed', permission_id: 3 } });
  });

  it('vote, freeze and unfreeze, wait for the block, and list what was done', async () => {
    const vote = await operate('stake:vote', 'pool');
    expect(vote).toMatchObject({
      exitCode: 0,
      document: { wallet: 'pool', kind: 'vote', amount_sun: '11000000000000', txid: expect.any(String) as string },
    });
    expect(['included', 'final']).toContain(vote.document!.state);
    const frozen = await operate('stake:freeze', 'pool', '--amount', '20', '--resource', 'bandwidth');
    expect(frozen).toMatchObject({ exitCode: 0, document: { kind: 'freeze', amount_sun: '20000000' } });
    const unfrozen = await operate('stake:unfreeze', 'pool', '--amount', '10');
    expect(unfrozen).toMatchObject({
      exitCode: 0,
      document: { kind: 'unfreeze', amount_sun: '10000000', unfreeze_slots_left: 31 },
    });
    await until('the solid view has it', async () => {
      const [shown] = await cli.json<{ unfreezing: { sun: string }[] }[]>('stake:show', 'pool');
      return shown!.unfreezing.map(({ sun }) => sun).join() === '10000000';
    });
    const cancelled = await operate('stake:cancel-unfreeze', 'pool');
    expect(cancelled).toMatchObject({ exitCode: 0, document: { kind: 'cancel-unfreeze', amount_sun: '10000000' } });
    const rows = await cli.json<(Operation & { requested_by: string; created_at: string; error: null })[]>(
      'stake:list',
      'pool',
      '--limit',
      '3',
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['cancel-unfreeze', 'unfreeze', 'freeze']);
    expect(rows[0]).toMatchObject({ id: cancelled.document!.id, error: null });
    expect(rows[0]!.requested_by).toContain('@');
  });

  it('end with 1 and the reason when the network refuses', async () => {
    for (const [command, said] of [
      ['stake:claim', 'does not have any reward'],
      ['stake:withdraw', 'no unFreeze balance to withdraw'],
    ] as const) {
      const { exitCode, stderr, document } = await operate(command, 'pool');
      expect([command, exitCode, document!.state, stderr]).toEqual([
        command,
        1,
        'refused',
        expect.stringContaining(said),
      ]);
    }
    const [row] = await cli.json<{ error: string }[]>('stake:list', '--limit', '1');
    expect(row!.error).toContain('CONTRACT_VALIDATE_ERROR');
    expect((await cli.run('stake:claim', 'pool')).stderr).toContain('is under way');
  });

  it('are carried out by a running instance where they cannot read the key', async () => {
    await care.world.query(`update stake_care set key_source = 'env:CARE_KEY_OF_THE_SERVICE' returning wallet_id`);
    process.env['CARE_KEY_OF_THE_SERVICE'] = care.privateKey;
    try {
      const { exitCode, stdout } = await cli.run('stake:freeze', 'pool', '--amount', '5', '--no-wait', '--json');
      expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { state: 'planned', txid: null }]);
      const { id } = JSON.parse(stdout) as Operation;
      await until('an instance has signed it', async () =>
        (await care.operations()).some((row) => row.id === id && ['included', 'final'].includes(row.state)),
      );
    } finally {
      delete process.env['CARE_KEY_OF_THE_SERVICE'];
    }
  });

  it('end the care, and forget where its key is', async () => {
    expect(await cli.json('stake:care', 'pool', '--off')).toBeNull();
    expect((await cli.json<{ care: unknown }[]>('stake:show', 'pool'))[0]!.care).toBeNull();
    expect(await care.world.query('select wallet_id from stake_care')).toEqual([]);
  });

  it('show the wallets that can be read beside one that cannot, and name that', async () => {
    await care.world.query(
      `insert into pool_wallets (id, name, address, role, key_source) values (gen_random_uuid(), 'gone', $1, 'delegate', 'env:NO_KEY') returning 1`,
      [utils.accounts.generateAccount().address.base58],
    );
    const { exitCode, stdout, stderr } = await cli.run('stake:show', '--json');
    expect(exitCode).toBe(1);
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual(['pool']);
    expect(stderr).toContain('gone cannot be read: no node shows an account of gone');
  });
});
