import { v7 as uuid } from 'uuid';
import { hashPassword } from '../../src/auth/passwords/password-hash';
import { PasswordService } from '../../src/auth/passwords/password.service';
import { insertUser, type UserRow } from './factories';
import type { TestApp } from './test-app';

export interface PanelUserLogin {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

/** A user who can sign in to the panel. */
export async function insertPanelUser(app: TestApp, row: UserRow = {}): Promise<PanelUserLogin> {
  const email = row.email ?? `${uuid()}@example.com`;
  const id = await insertUser(app.orm, { ...row, email });
  const password = `the password of ${email}`;
  const hash = await hashPassword(password);
  await app.sql.transaction((tx) => app.app.get(PasswordService).store(tx, id, hash));
  return { id, email, password };
}
