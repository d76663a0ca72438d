import { PasswordService } from '../../../src/auth/passwords/password.service';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

let failures = 0;

jest.mock('node:crypto', () => {
  const real = jest.requireActual<typeof import('node:crypto')>('node:crypto');
  const argon2: typeof real.argon2 = (algorithm, parameters, callback) =>
    failures-- > 0
      ? callback(new Error('out of memory'), Buffer.alloc(0))
      : real.argon2(algorithm, parameters, callback);
  return { ...real, argon2 };
});

describe('a password hash that fails once, for want of memory', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service.close());

  it('leaves the next attempt alone, for unknown addresses as for known ones', async () => {
    const passwords = service.app.get(PasswordService);
    const user = await insertPanelUser(service);
    for (const email of ['nobody@example.com', user.email]) {
      failures = 1;
      await expect(passwords.findUser(email, 'wrong')).rejects.toThrow('out of memory');
      failures = 0;
      expect(await passwords.findUser(email, 'wrong')).toBeNull();
    }
  });
});
