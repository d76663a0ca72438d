import { v7 as uuid } from 'uuid';
import { hashPassword } from '../../src/auth/passwords/password-hash';
import { PasswordService } from '../../src/auth/passwords/password.service';
import { insertUser, type UserRow } from './factories';
import type { TestApp } from './test-app';

/** The least that argon2 takes: each sign-in costs what the stored hash says. sign-in.spec.ts looks at the real cost. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };

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
  const hash = await hashPassword(password, CHEAP);
  await app.sql.transaction((tx) => app.app.get(PasswordService).store(tx, id, hash));
  return { id, email, password };
}
