import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import type { DepositSettings } from '../../config/deposits';
import { FinalFeed } from '../chain/observer/final-feed';
import { hexOfPublicKey, toBase58Address } from '../chain/tron/addresses';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import { DomainError } from '../common/errors/domain.error';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';
import { SCANNER } from './scanner-name';

export interface OwnedAddress {
  readonly user_id: string;
  readonly address: string;
  readonly hex: string;
}

const OF_USER = statement<[userId: string], { address: string }>(
  'deposit_address_of_user',
  'select address from deposit_addresses where user_id = $1',
);
const OWNED = statement<[hex: readonly string[]], OwnedAddress>(
  'deposit_addresses_owned',
  'select user_id, address, hex from deposit_addresses where hex = any($1) and user_id is not null',
);
const NEXT = statement<[account: string], { next: number }>(
  'deposit_address_next',
  'select coalesce(max(number) + 1, 0) as next from deposit_addresses where account = $1',
);
const USER_OF = statement<[address: string], { email: string }>(
  'deposit_address_user',
  'select u.email from deposit_addresses a join users u on u.id = a.user_id where a.address = $1',
);
/** Nothing where the number was taken meanwhile, or the customer got another one. */
const INSERT = statement<[address: string, hex: string, account: string, number: number, userId: string | null]>(
  'deposit_address_insert',
  'insert into deposit_addresses (address, hex, account, number, user_id) values ($1, $2, $3, $4, $5) on conflict do nothing',
);

/** Which customer has which address of the account. Once given, it stays the customer's, whatever account the setting names later. */
@Injectable()
export class DepositAddresses {
  constructor(
    private readonly sql: Sql,
    private readonly feed: FinalFeed,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** The customer's, made when there is none. @throws DomainError while deposits are off @throws NodeUnavailableError */
  async of(userId: string): Promise<string> {
    const settings = this.settings();
    for (;;) {
      const row = await this.sql.row(OF_USER, [userId]);
      if (row) return row.address;
      // Blocks before the first that is followed are read by none: what came in one of them would be credited to none.
      if ((await this.feed.placeOf(SCANNER)) === null)
        throw new NodeUnavailableError('no block is followed for deposits yet');
      const { next } = (await this.sql.row(NEXT, [settings.account.fingerprint]))!;
      await this.insert(this.sql, settings, next, userId);
    }
  }

  /** The customer's, when there is one. */
  async find(userId: string): Promise<string | null> {
    return (await this.sql.row(OF_USER, [userId]))?.address ?? null;
  }

  /** The e-mail address of the customer who has this one. */
  async userOf(address: string): Promise<string | null> {
    return (await this.sql.row(USER_OF, [address]))?.email ?? null;
  }

  /** Those of these addresses, `41…` in hex, that customers have. */
  async owned(hex: readonly string[], db: Queryable = this.sql): Promise<Map<string, OwnedAddress>> {
    const rows = hex.length === 0 ? [] : await db.rows(OWNED, [hex]);
    return new Map(rows.map((row) => [row.hex, row]));
  }

  /** Leaves out so many: customers may have been given them by rows that a restored database has lost. */
  async leaveOut(count: number, tx: SqlTransaction): Promise<void> {
    const { deposits } = this.configuration;
    if (!deposits) return;
    const { next } = (await tx.row(NEXT, [deposits.account.fingerprint]))!;
    if (next > 0) await this.insert(tx, deposits, next + count - 1, null);
  }

  private insert(db: Queryable, { account }: DepositSettings, number: number, userId: string | null) {
    const hex = hexOfPublicKey(account.publicKeyAt(number));
    return db.execute(INSERT, [toBase58Address(hex), hex, account.fingerprint, number, userId]);
  }

  private settings(): DepositSettings {
    const { deposits } = this.configuration;
    if (!deposits) throw new DomainError('deposit.off');
    return deposits;
  }
}
