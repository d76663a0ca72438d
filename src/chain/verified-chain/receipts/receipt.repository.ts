import { Injectable } from '@nestjs/common';
import { Sql } from '../../../database/sql';
import { statement } from '../../../database/statement';
import type { BlockHeader, SignedHeader } from '../../proof/block-header';
import type { Witness } from '../../proof/judge';
import { sha256 } from '../../proof/merkle-tree';

const KEEP_WITNESSES = statement<[witnesses: string, digest: Buffer]>(
  'receipt_keep_witnesses',
  `insert into receipt_witnesses (witnesses, digest)
   select $1::jsonb, $2::bytea where not exists (select from receipt_witnesses where digest = $2::bytea)
   on conflict (digest) do nothing`,
);

/**
 * Takes JSON. What is there stays, and is not touched, unless the block gets its first order, or the branch that it is of was undone
 * (`chain:accept-branch`). From the lowest up, as every instance writes them: no deadlock.
 */
const KEEP_HEADERS = statement<[headers: string, digest: Buffer]>(
  'receipt_keep_headers',
  `with given as (
     select o.number, decode(o.header, 'hex') as header, decode(o.signature, 'hex') as signature, o.above,
            case when o.above is not null then (select w.id from receipt_witnesses w where w.digest = $2::bytea) end as witnesses_id
       from json_to_recordset($1::json) as o (number bigint, header text, signature text, above smallint)
   )
   insert into receipt_headers as kept (number, header, signature, above, witnesses_id)
   select number, header, signature, above, witnesses_id from given
    where not exists (select from receipt_headers k
                       where k.number = given.number and k.header = given.header and (given.above is null or k.above is not null))
    order by number
   on conflict (number) do update
     set header = excluded.header, signature = excluded.signature,
         above = case when kept.header = excluded.header then coalesce(kept.above, excluded.above) else excluded.above end,
         witnesses_id = case when kept.header = excluded.header then coalesce(kept.witnesses_id, excluded.witnesses_id)
                             else excluded.witnesses_id end`,
);

const WITNESSES_OF = statement<[number: bigint], { witnesses: readonly Witness[] }>(
  'receipt_witnesses_of',
  `select w.witnesses from receipt_headers h join receipt_witnesses w on w.id = h.witnesses_id where h.number = $1`,
);

const HEADERS_FROM = statement<[number: bigint], SignedHeader>(
  'receipt_headers_from',
  `select h.header as bytes, h.signature
     from receipt_headers block join receipt_headers h on h.number between block.number and block.number + block.above
    where block.number = $1 order by h.number`,
);

/** The tables `receipt_headers` and `receipt_witnesses`. */
@Injectable()
export class ReceiptRepository {
  constructor(private readonly sql: Sql) {}

  /** @param above the signed headers that follow it */
  async keep(block: BlockHeader, above: readonly BlockHeader[], witnesses: readonly Witness[]): Promise<void> {
    const set = JSON.stringify(witnesses.map(({ address, signing_address }) => ({ address, signing_address })));
    const digest = sha256(Buffer.from(set));
    await this.sql.execute(KEEP_WITNESSES, [set, digest]);
    const rows = [block, ...above].map(({ number, signed }, at) => ({
      number,
      header: signed!.bytes.toString('hex'),
      signature: signed!.signature.toString('hex'),
      above: at === 0 ? above.length : null,
    }));
    await this.sql.execute(KEEP_HEADERS, [JSON.stringify(rows), digest]);
  }

  /** The block's own header, then those above it; none when no receipt was kept. */
  headersFrom(number: bigint): Promise<SignedHeader[]> {
    return this.sql.rows(HEADERS_FROM, [number]);
  }

  async witnessesOf(number: bigint): Promise<readonly Witness[]> {
    return (await this.sql.row(WITNESSES_OF, [number]))?.witnesses ?? [];
  }
}
