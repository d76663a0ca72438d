import { Migration } from '@mikro-orm/migrations';

/**
 * A migration of which each statement stands for itself, outside of a transaction. So it locks one table at a time, and indexes can be
 * built and dropped while others write. After a crash it begins from its first statement again: each must be one that may run twice.
 */
export abstract class OneByOne extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /**
   * `definition`: the text after the index's name, from `on` on. Its building waits for the end of older transactions, and no statement
   * waits for it meanwhile. An index whose building was broken off is there, but cannot be used.
   */
  protected async createIndex(
    name: string,
    definition: string,
    kind: 'index' | 'unique index' = 'index',
  ): Promise<void> {
    const invalid = 'select 1 from pg_index where indexrelid = to_regclass(?) and not indisvalid';
    if ((await this.execute(invalid, [name])).length > 0) this.dropIndex(name);
    this.unhurried(`create ${kind} concurrently if not exists ${name} ${definition}`);
  }

  protected dropIndex(name: string): void {
    this.unhurried(`drop index concurrently if exists ${name}`);
  }

  /** The one connection of a migration runs all of its statements. */
  private unhurried(statement: string): void {
    this.addSql('set lock_timeout = 0');
    this.addSql(statement);
    this.addSql('reset lock_timeout');
  }
}
