import { Migration } from '@mikro-orm/migrations';

/** Those that are, or may become, free: what was paid for is in other states. By states alone, for an answer must not cost an index. */
const CHANGE = `
  create index delegations_unpaid_activations on delegations (user_id)
   where activates and state in ('activating', 'pending', 'sent', 'included', 'failed', 'taking_back', 'taken_back');
`;

export class FreeActivations extends Migration {
  override name = '0015-free-activations';

  override up(): void {
    this.addSql(CHANGE);
  }
}
