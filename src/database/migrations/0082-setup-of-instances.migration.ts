import { Migration } from '@mikro-orm/migrations';

/** What a running instance says of itself beside its terms: `doctor`, a command elsewhere, compares instances by it. */
const SETUP = `alter table instance_terms add column setup jsonb not null default '{}'`;

export class SetupOfInstances extends Migration {
  override name = '0082-setup-of-instances';

  override up(): void {
    this.addSql(SETUP);
  }
}
