import { Migration } from '@mikro-orm/migrations';

/** Null: as the browser has it. Which zones there are, only Intl knows. */
const PREFERENCES = `
  alter table users
    add column time_zone text null,
    add column language text null,
    add constraint users_language_check check (language in ('en', 'zh'))`;

/** How a user reads the panel. */
export class UserPreferences extends Migration {
  override name = '0041-user-preferences';

  override up(): void {
    this.addSql(PREFERENCES);
  }
}
