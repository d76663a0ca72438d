import { Injectable } from '@nestjs/common';
import { RefusalError } from '../../common/refusal.error';
import { Sql, type Statement } from '../../database/sql';
import { hashPassword, verifyPassword } from './password-hash';

const FIND: Statement = {
  name: 'password-find',
  text: 'select id, password_hash from users where email = $1 and disabled_at is null',
};
const FIND_OF: Statement = { name: 'password-find-of', text: 'select id, password_hash from users where id = $1' };
const SET: Statement = { name: 'password-set', text: 'update users set password_hash = $2 where id = $1' };

export const SHORTEST_PASSWORD = 12;
/** Enough for any passphrase; more would only be work for argon2. */
export const LONGEST_PASSWORD = 200;

type Row = { id: string; password_hash: string | null };

@Injectable()
export class PasswordService {
  private decoy?: Promise<string>;

  constructor(private readonly sql: Sql) {}

  /** The user's id, or null: for a wrong password, an unknown address and a disabled user alike, and after the same work. */
  async findUser(email: string, password: string): Promise<string | null> {
    const row = await this.sql.row<Row>(FIND, [email.trim().toLowerCase()]);
    return (await this.matches(row, password)) ? row!.id : null;
  }

  async isPasswordOf(userId: string, password: string): Promise<boolean> {
    return this.matches(await this.sql.row<Row>(FIND_OF, [userId]), password);
  }

  /** @throws RefusalError when it is too short or too long. */
  async hash(password: string): Promise<string> {
    const length = Array.from(password).length;
    if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
      throw new RefusalError(`a password has ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`);
    }
    return hashPassword(password);
  }

  async set(userId: string, password: string): Promise<void> {
    await this.sql.execute(SET, [userId, await this.hash(password)]);
  }

  private async matches(row: Row | null, password: string): Promise<boolean> {
    this.decoy ??= hashPassword('of nobody');
    const same = await verifyPassword(
      password.slice(0, LONGEST_PASSWORD * 2),
      row?.password_hash ?? (await this.decoy),
    );
    return same && row?.password_hash != null;
  }
}
