import crypto from 'node:crypto';
import { PasswordService } from '../../../src/auth/passwords/password.service';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

const { argon2 } = crypto;

describe('a password hash that fails once, for want of memory', () => {
  let service: TestApp;
  let failures = 0;

  beforeAll(async () => {
    jest
      .spyOn(crypto, 'argon2')
      .mockImplementation((algorithm, parameters, callback) =>
        failures-- > 0
          ? callback(new Error('out of memory'), Buffer.alloc(0))
          : argon2(algorithm, parameters, callback),
      );
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
