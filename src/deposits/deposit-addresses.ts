import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import type { DepositSettings } from '../../config/deposits';
import { FinalFeed } from '../chain/observer/final-feed';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { DomainError } from '../common/errors/domain.error';
import { IS_CONTINUOUS, IS_RESTORED, IS_THIS_DATABASE } from '../database/identity/database-identity.sql';
import { type Queryable, Sql } from '../database/sql';
import { statement } from '../database/statement';
import { addressOf, type KnownAddress, nextNumber } from './account-addresses';
import { ARE_LEFT_OUT, LeftOutAddresses } from './left-out-addresses';
import { SCANNER } from './scanner-name';

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
/** SQL: by all that this process knows, no row is missing: the database has the final block that it had ($, null before the first look). */
export const lacksNone = (rememberedNumber: string, isWhole = IS_CONTINUOUS) => `
  (exists (select from database_identity i where ${IS_THIS_DATABASE('i')} and ${isWhole('i')})
   and coalesce((select final_number from chain_identity) >= ${rememberedNumber}::bigint, false))`;
/**
 * Nothing where the number was taken meanwhile, or the customer got another one. Nor where rows may be missing and the addresses that they
 * may have given to other customers are not left out.
 */
const INSERT = statement<
  [address: string, hex: string, account: string, number: number, userId: string, rememberedNumber: number | null]
>(
  'deposit_address_insert',
  `insert into deposit_addresses (address, hex, account, number, user_id)
   select $1, $2, $3, $4::integer, $5::uuid from database_identity i
    where ${lacksNone('$6')} and ${ARE_LEFT_OUT('i', '$3')} on conflict do nothing`,
);
const STATE = statement<[rememberedNumber: number | null], { restored: boolean; doubted: boolean }>(
  'deposit_addresses_state',
  `select ${IS_RESTORED} as restored, not ${lacksNone('$1')} as doubted`,
);

/** Which customer has which address of the account. Once given, it stays the customer's, whatever account the setting names later. */
@Injectable()
export class DepositAddresses {
  constructor(
    private readonly sql: Sql,
    private readonly feed: FinalFeed,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly leftOut: LeftOutAddresses,
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
      const remembered = this.referenceBlocks.rememberedNumber();
      const { fingerprint } = settings.account;
      const isGiven = await this.sql.execute(INSERT, [address, hex, fingerprint, number, userId, remembered]);
      if (isGiven > 0) return address;
      await this.refuseDoubted(remembered);
      if (remembered !== null) await this.sql.transaction((tx) => this.leftOut.leaveOutDoubted(settings, tx));
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

  private async refuseDoubted(rememberedNumber: number | null): Promise<void> {
    const { restored, doubted } = (await this.sql.row(STATE, [rememberedNumber]))!;
    if (restored) throw new DomainError('deposit.restored');
    // The process of a command follows no blocks.
    if (rememberedNumber === null) await this.referenceBlocks.refresh();
    if (rememberedNumber === null ? this.referenceBlocks.rememberedNumber() === null : doubted)
      throw new NodeUnavailableError('rows may be missing, and no comparison with the chain has begun yet');
  }

  private settings(): DepositSettings {
    const { deposits } = this.configuration;
    if (!deposits) throw new DomainError('deposit.off');
    return deposits;
  }
}
