import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  alter table delegations add column claim_ms int null;

  create index delegations_missing_stake on delegations (wallet_id, receiver)
    where state in ('delegated', 'reclaiming', 'taking_back') and starts_with(last_error, 'the delegation is not there in full');
`;

export class ClaimsAndClosedPairs extends Migration {
  override name = '0014-claims-and-closed-pairs';

  override up(): void {
    this.addSql(CHANGE);
  }
}
