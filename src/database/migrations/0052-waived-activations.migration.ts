import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  create table waived_activations (delegation_id uuid not null, user_id uuid not null, head_time_ms bigint not null, primary key (delegation_id));
  create index waived_activations_user on waived_activations (user_id, head_time_ms);
`;

export class WaivedActivations extends Migration {
  override name = '0052-waived-activations';

  override up(): void {
    this.addSql(CHANGE);
  }
}
