import { Migration } from '@mikro-orm/migrations';

/**
 * An account that begins below its threshold has not fallen below it: nothing is told until it was above. Without this the first
 * credit that leaves it below would tell.
 */
const BEGINS_LOW = `
  create function note_low_beginning() returns trigger language plpgsql as $$
  begin
    new.low_since := 'epoch';
    return new;
  end $$;

  create trigger accounts_low_beginning before insert on accounts
    for each row when (new.balance_sun - new.held_sun < new.low_balance_sun)
    execute function note_low_beginning();
`;

export class LowFromTheBeginning extends Migration {
  override name = '0044-low-from-the-beginning';

  override up(): void {
    this.addSql(BEGINS_LOW);
  }
}
