import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';

const REMEMBER = statement<[userId: string, network: string]>(
  'known_place_remember',
  `insert into known_places (user_id, network) values ($1, $2)
         on conflict (user_id, network) do update set last_at = now()`,
);
const IS_KNOWN = statement<[email: string, network: string], { known: boolean }>(
  'known_place_is_known',
  `select exists (select from known_places k join users u on u.id = k.user_id
                         where u.email = $1 and k.network = $2 and k.last_at > now() - interval '30 days') as known`,
);
const SWEEP = statement('known_place_sweep', `delete from known_places where last_at < now() - interval '30 days'`);

/** Table `known_places`: networks from which users signed in within 30 days. Guesses from elsewhere cannot lock them out there. */
@Injectable()
export class KnownNetworkRepository {
  constructor(private readonly sql: Sql) {}

  async remember(userId: string, network: string): Promise<void> {
    await this.sql.execute(REMEMBER, [userId, network]);
  }

  async isKnown(email: string, network: string): Promise<boolean> {
    return (await this.sql.row(IS_KNOWN, [email, network]))!.known;
  }

  async sweep(): Promise<void> {
    await this.sql.execute(SWEEP);
  }
}
