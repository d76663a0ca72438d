import { Migration } from '@mikro-orm/migrations';

const CHANGE = `
  alter table chain_faults add last_seen_at timestamptz(6) not null default now();
`;

export class ChainFaultsLastSeen extends Migration {
  override name = '0047-chain-faults-last-seen';

  override up(): void {
    this.addSql(CHANGE);
  }
}
