import { Injectable } from '@nestjs/common';
import { Sql } from '../../../database/sql';
import { statement } from '../../../database/statement';
import { readSignedHeader } from '../../proof/header-fields';
import type { Witness } from '../../proof/judge';
import { ReceiptRepository } from './receipt.repository';

interface Change {
  readonly joined: Witness | null;
  readonly gone: Witness | null;
}

/** A change is seen some turns after the first block that a new witness signs, or later, when the service was away. */
const CHANGES_NEAR = statement<[number: bigint], Change>(
  'witness_changes_near',
  'select joined, gone from witness_changes where number between $1::bigint - 200 and $1::bigint + 2000 order by id',
);

/** A receipt keeps the set by which its block became final. A header near a change of the set may be signed by a witness of the other one. */
@Injectable()
export class ChangedWitnesses {
  constructor(
    private readonly sql: Sql,
    private readonly receipts: ReceiptRepository,
  ) {}

  /** The other set of a receipt's block; empty when `set` has signed all of its headers, or no change that the service has seen explains them. */
  async near(number: bigint, set: readonly Witness[]): Promise<readonly Witness[]> {
    const headers = await this.receipts.headersFrom(number);
    const known = new Set(set.map(({ address, signing_address: signer }) => `${address} ${signer}`));
    const read = headers.map((header) => readSignedHeader(header));
    const signed = read.map((header) => `${header?.witness} ${header?.signer}`);
    const strange = new Set(signed.filter((pair) => !known.has(pair)));
    if (strange.size === 0) return [];
    const has = (witness: Witness | null) => strange.has(`${witness?.address} ${witness?.signing_address}`);
    const other = new Map(set.map((witness) => [witness.address, witness]));
    let isOther = false;
    for (const { joined, gone } of await this.sql.rows(CHANGES_NEAR, [number])) {
      const [added, removed] = has(joined) ? [joined!, gone] : has(gone) ? [gone!, joined] : [null, null];
      if (!added) continue;
      if (removed) other.delete(removed.address);
      other.set(added.address, added);
      isOther = true;
    }
    return isOther ? [...other.values()] : [];
  }
}
