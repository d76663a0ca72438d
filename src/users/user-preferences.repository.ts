import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';

export interface UserPreferences {
  /** As Intl names it; null: the browser's. */
  readonly timeZone: string | null;
  /** null, or one that this version lacks: what the browser asks for. */
  readonly language: string | null;
}

const SAVE = statement<[userId: string, timeZone: string | null, language: string | null]>(
  'user_preferences_save',
  'update users set time_zone = $2, language = $3 where id = $1',
);

const FIND = statement<[userId: string], UserPreferences>(
  'user_preferences_find',
  'select time_zone as "timeZone", language from users where id = $1',
);

/** How a user reads the panel: columns of `users`. */
@Injectable()
export class UserPreferencesRepository {
  constructor(private readonly sql: Sql) {}

  /** Null without such a user. */
  find(userId: string): Promise<UserPreferences | null> {
    return this.sql.row(FIND, [userId]);
  }

  async save(userId: string, { timeZone, language }: UserPreferences): Promise<void> {
    await this.sql.rows(SAVE, [userId, timeZone, language]);
  }
}
