import { Injectable } from '@nestjs/common';
import { Sql } from '../../../database/sql';
import { statement } from '../../../database/statement';
import { readSignedHeader } from '../../proof/header-fields';
import type { Witness } from '../../proof/judge';
import type { ReceiptDocument } from './receipt-document';

interface Change {
  readonly joined: Witness | null;
  readonly gone: Witness | null;
}

/** A change is seen some turns after the first block that a new witness signs, or later, when the service was away. */
const CHANGES_NEAR = statement<[number: number], Change>(
  'witness_changes_near',
  'select joined, gone from witness_changes where number between $1::bigint - 200 and $1::bigint + 2000 order by id',
);

/** A receipt keeps the set by which its block became final. A header near a change of the set may be signed by a witness of the other one. */
@Injectable()
export class ChangedWitnesses {
  constructor(private readonly sql: Sql) {}

  /** The other set; empty when one set has signed all headers, or no change that the service has seen explains them. */
  async of({ block_number: number, header, following, witnesses: set }: ReceiptDocument): Promise<readonly Witness[]> {
    const known = new Set(set.map(({ address, signing_address: signer }) => `${address} ${signer}`));
    // A post-quantum signature counts for no witness in a browser.
    const read = [header, ...following].flatMap(({ bytes, signature }) =>
      signature === undefined
        ? []
        : [readSignedHeader({ bytes: Buffer.from(bytes, 'hex'), signature: Buffer.from(signature, 'hex') })],
    );
    const signed = read.map((fields) => `${fields?.witness} ${fields?.signer}`);
    const strange = new Set(signed.filter((pair) => !known.has(pair)));
    if (strange.size === 0) return [];
    const has = (witness: Witness | null) => strange.has(`${witness?.address} ${witness?.signing_address}`);
    const other = new Map<string, Witness>(set.map((witness) => [witness.address, witness]));
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
