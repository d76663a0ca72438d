import { Injectable } from '@nestjs/common';
import type { Queryable } from '../database/sql';
import { statement } from '../database/statement';

const BYTES = 20;
/** An address is a hash: by its last 3 bytes a million of them take 6 of 100 bits, and 10,000 less than one of 1,000. */
const KEY_BYTES = 3;
/** Rows at a time. */
const PAGE = 10_000;

/**
 * This reads every account, whichever the settings name now. An account's numbers are committed in their order: each is the one after the last that
 * was committed, and of two that take the same one the later waits for the other's commit (`deposit_addresses_number_once`).
 */
const AFTER = statement<[last: string], { account: string; number: number; hex: string }>(
  'deposit_addresses_after',
  `with recursive accounts as (
         (select account from deposit_addresses order by account limit 1)
         union all
         select (select min(d.account) from deposit_addresses d where d.account > a.account) from accounts a where a.account is not null
       )
       select d.account, d.number, d.hex
         from accounts a
         join lateral (select account, number, hex from deposit_addresses
                        where account = a.account and number > coalesce(($1::json ->> a.account)::integer, -1)
                        order by number limit ${PAGE}) d on true`,
);

/**
 * Tells by one bit whether a recipient may be an address of ours, so that the others are not looked up: 2 MB, however many addresses there
 * are. It forgets none.
 */
@Injectable()
export class AddressFilter {
  private readonly bits = new Uint8Array(2 ** (8 * KEY_BYTES - 3));
  private count = 0;
  /** By account: the last number that was learnt. */
  private readonly last = new Map<string, number>();

  /** How many bits are set. As long as it is the same, no recipient has come to be one of ours. */
  get size(): number {
    return this.count;
  }

  /** All addresses that have a row, whichever instance has given them. */
  async learn(db: Queryable): Promise<void> {
    for (let isMore = true; isMore;) {
      const rows = await db.rows(AFTER, [JSON.stringify(Object.fromEntries(this.last))]);
      for (const { account, number, hex } of rows) {
        this.add(hex);
        this.last.set(account, Math.max(number, this.last.get(account) ?? 0));
      }
      isMore = rows.length >= PAGE;
    }
  }

  /** @param hex `41…` */
  add(hex: string): void {
    const key = Number.parseInt(hex.slice(-2 * KEY_BYTES), 16);
    if (this.isSet(key)) return;
    this.bits[key >> 3]! |= 1 << (key & 7);
    this.count++;
  }

  /** @param address its 20 bytes */
  mayHave(address: Buffer): boolean {
    return this.isSet(address.readUIntBE(BYTES - KEY_BYTES, KEY_BYTES));
  }

  private isSet(key: number): boolean {
    return (this.bits[key >> 3]! & (1 << (key & 7))) !== 0;
  }
}
