import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import type { DepositSettings } from '../../config/deposits';
import { FinalFeed } from '../chain/observer/final-feed';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import { DomainError } from '../common/errors/domain.error';
import { IS_RESTORED } from '../database/identity/database-identity.sql';
import { type Queryable, Sql } from '../database/sql';
import { statement } from '../database/statement';
import { addressOf, nextNumber } from './account-addresses';
import { SCANNER } from './scanner-name';

export interface KnownAddress {
  /** Null: it was left out after a restore. */
  readonly user_id: string | null;
  readonly address: string;
  readonly hex: string;
}

const OF_USER = statement<[userId: string], { address: string }>(
  'deposit_address_of_user',
  'select address from deposit_addresses where user_id = $1',
);
const WITH_ROW = statement<[hex: readonly string[]], KnownAddress>(
  'deposit_addresses_with_row',
  'select user_id, address, hex from deposit_addresses where hex = any($1)',
);
const USER_OF = statement<[address: string], { email: string }>(
  'deposit_address_user',
  'select u.email from deposit_addresses a join users u on u.id = a.user_id where a.address = $1',
);
const IS_KNOWN = statement<[address: string], { address: string }>(
  'deposit_address_is_known',
  'select address from deposit_addresses where address = $1',
);
/**
 * Nothing where the number was taken meanwhile, or the customer got another one. Nor in a restored database that no operator has confirmed:
 * rows that it has lost may have given the address to another customer.
 */
const INSERT = statement<[address: string, hex: string, account: string, number: number, userId: string]>(
  'deposit_address_insert',
  `insert into deposit_addresses (address, hex, account, number, user_id)
   select $1, $2, $3, $4::integer, $5::uuid where not ${IS_RESTORED} on conflict do nothing`,
);
const RESTORED = statement<[], { restored: boolean }>(
  'deposit_addresses_restored',
  `select ${IS_RESTORED} as restored`,
);

/** Which customer has which address of the account. Once given, it stays the customer's, whatever account the setting names later. */
@Injectable()
export class DepositAddresses {
  constructor(
    private readonly sql: Sql,
    private readonly feed: FinalFeed,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** The customer's, made when there is none. @throws DomainError while deposits are off, or the database is restored and not confirmed @throws NodeUnavailableError */
  async of(userId: string): Promise<string> {
    const settings = this.settings();
    for (;;) {
      const row = await this.sql.row(OF_USER, [userId]);
      if (row) return row.address;
      // Blocks before the first that is followed are read by none: what came in one of them would be credited to none.
      if ((await this.feed.placeOf(SCANNER)) === null)
        throw new NodeUnavailableError('no block is followed for deposits yet');
      const { address, hex, number } = addressOf(settings, await nextNumber(settings, this.sql));
      const isGiven = await this.sql.execute(INSERT, [address, hex, settings.account.fingerprint, number, userId]);
      if (isGiven === 0 && (await this.sql.row(RESTORED))!.restored) throw new DomainError('deposit.restored');
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

  /** Whether the account has it, also one that was left out. */
  async isKnown(address: string): Promise<boolean> {
    return (await this.sql.row(IS_KNOWN, [address])) !== null;
  }

  /** Those of these addresses, `41…` in hex, that have a row. */
  async withRow(hex: readonly string[], db: Queryable = this.sql): Promise<Map<string, KnownAddress>> {
    const rows = hex.length === 0 ? [] : await db.rows(WITH_ROW, [hex]);
    return new Map(rows.map((row) => [row.hex, row]));
  }

  private settings(): DepositSettings {
    const { deposits } = this.configuration;
    if (!deposits) throw new DomainError('deposit.off');
    return deposits;
  }
}
