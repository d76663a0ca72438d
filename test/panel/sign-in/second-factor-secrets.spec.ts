import { randomBytes } from 'node:crypto';
import { DiagnoseSecondFactors } from '../../../src/auth/second-factors/diagnose-second-factors';
import { SecondFactorRepository } from '../../../src/auth/second-factors/second-factor.repository';
import { textOf } from '../../../src/weak-settings/weakness-text';
import { CommandLine } from '../../support/command-line';
import { insertPanelUser } from '../../support/panel-user';
import { giveSecondFactor } from '../../support/second-factor';
import { createTestApp, type TestApp } from '../../support/test-app';

const key = () => randomBytes(32).toString('base64');

describe('the secret of a second factor', () => {
  it('that is kept without a key, or with one that is not set, is what doctor finds, and says what to do', async () => {
    const [old, young] = [key(), key()];
    const plain = await createTestApp({ backgroundWork: false });
    const withKeys = (keys: string) =>
      createTestApp({ backgroundWork: false, databaseUrl: plain.databaseUrl, env: { SECRET_KEYS: keys } });
    const [first, second, both] = await Promise.all([withKeys(old), withKeys(young), withKeys(`${young},${old}`)]);
    const found = async ({ app }: TestApp) =>
      (await app.get(DiagnoseSecondFactors).run()).map((one) => textOf(one, 'en'));
    const kinds = async (app: TestApp) => (await found(app)).map(({ kind }) => kind);

    for (const app of [plain, first]) expect(await kinds(app)).toEqual([]);
    const users = [await insertPanelUser(plain), await insertPanelUser(plain)] as const;
    await giveSecondFactor(plain, users[0]);
    const [unset] = await found(plain);
    expect(unset).toMatchObject({ kind: 'second_factors_unencrypted', subject: 'SECRET_KEYS' });
    expect(unset!.reason).toContain('the secrets of 1 second factor are');
    expect(unset!.next_step).toMatch(/^Set SECRET_KEYS .* set them up again/);
    expect((await found(first))[0]!.next_step).toMatch(/^Have their users set them up again/);

    await giveSecondFactor(first, users[1]);
    expect(await kinds(first)).toEqual(['second_factors_unencrypted']);
    for (const lacking of [plain, second])
      expect((await kinds(lacking)).toSorted()).toEqual(['second_factor_key_missing', 'second_factors_unencrypted']);
    // Set up again, it is sealed.
    await giveSecondFactor(first, users[0]);
    for (const app of [first, both]) expect(await kinds(app)).toEqual([]);
    const { stdout, exitCode } = await CommandLine.on(plain.databaseUrl).run('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: { kind: string }[] };
    const ofSecrets = findings.map(({ kind }) => kind).filter((kind) => kind.startsWith('second_factor'));
    expect([exitCode, ofSecrets]).toEqual([1, ['second_factor_key_missing']]);
    for (const app of [first, second, both, plain]) await app.close();
  });

  it('takes no code once another secret has come while the code was looked at', async () => {
    const service = await createTestApp({ backgroundWork: false });
    const user = await insertPanelUser(service);
    const factors = service.app.get(SecondFactorRepository);
    await giveSecondFactor(service, user);
    const lookedAt = (await factors.findSecret(user.id))!;
    await giveSecondFactor(service, user);
    const later = BigInt(Math.floor(Date.now() / 30_000) + 10);
    expect(await factors.useStep(user.id, lookedAt, later)).toBe(false);
    expect(await factors.useStep(user.id, (await factors.findSecret(user.id))!, later)).toBe(true);
    await service.close();
  });
});
