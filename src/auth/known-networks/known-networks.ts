import { Injectable } from '@nestjs/common';
import { Sql, type Statement } from '../../database/sql';

const REMEMBER: Statement = {
  name: 'known-place-remember',
  text: `insert into known_places (user_id, network) values ($1, $2)
         on conflict (user_id, network) do update set last_at = now()`,
};
const IS_KNOWN: Statement = {
  name: 'known-place-is-known',
  text: `select exists (select from known_places k join users u on u.id = k.user_id
                         where u.email = $1 and k.network = $2 and k.last_at > now() - interval '30 days') as known`,
};
const SWEEP: Statement = {
  name: 'known-place-sweep',
  text: `delete from known_places where last_at < now() - interval '30 days'`,
};

/** Where users have signed in lately: there, nobody elsewhere can lock them out. */
@Injectable()
export class KnownNetworks {
  constructor(private readonly sql: Sql) {}

  async remember(userId: string, network: string): Promise<void> {
    await this.sql.execute(REMEMBER, [userId, network]);
  }

  async isKnown(email: string, network: string): Promise<boolean> {
    return (await this.sql.row<{ known: boolean }>(IS_KNOWN, [email, network]))!.known;
  }

  async sweep(): Promise<void> {
    await this.sql.execute(SWEEP);
  }
}
