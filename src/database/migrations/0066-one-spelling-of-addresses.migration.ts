import { Migration } from '@mikro-orm/migrations';

/**
 * E-mail addresses are looked up in one spelling of their accents (NFC): one that is stored in another would not be found. Where both
 * are there, the other one stays, and nobody can sign in with it.
 */
const ONE_SPELLING = `
  do $$
  begin
    if current_setting('server_encoding') = 'UTF8' then
      update users u set email = normalize(u.email, NFC)
       where u.email is not nfc normalized
         and not exists (select from users o where o.email = normalize(u.email, NFC));
    end if;
  end $$`;

export class OneSpellingOfAddresses extends Migration {
  override name = '0066-one-spelling-of-addresses';

  override up(): void {
    this.addSql(ONE_SPELLING);
  }
}
