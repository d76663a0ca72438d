import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';

/** So many characters of a txid or a receiver are in an index: enough to tell them apart by, and a fraction of their length. */
const INDEXED = 8;
/** A receiver, or a request's id that its caller never changes, may have millions of orders: the first of these are found. */
const MOST_LOOKED_AT = 1_000;
const MOST_IDS = 20_000;

/** A customer's own orders, the newest: otherwise all that is found may be other customers', of a busy receiver or a busy hour. */
const MOST_OWN = 20_000;

/** Sorts after everything that begins with what stands before it. */
const LAST = '\u{10FFFF}';

type SearchValues = [
  begin: string,
  after: string,
  indexed: string,
  afterIndexed: string,
  end: string,
  userId: string | null,
  limit: number,
];

const named = (name: string, table: string, column: string, order: string) =>
  statement<SearchValues, { id: string }>(
    name,
    `select d.id
       from (select ${order} as id, ${column} as found from ${table}
              where left(${column}, ${INDEXED}) ~>=~ $3 and left(${column}, ${INDEXED}) ~<~ $4
                and ${column} ~>=~ $1 and ${column} ~<~ $2
              limit ${MOST_LOOKED_AT}) f join delegations d on d.id = f.id
      where right(f.found, length($5)) = $5 and ($6::uuid is null or d.user_id = $6)
      limit $7`,
  );

const BY_RECEIVER = named('search_receiver', 'delegations', 'receiver', 'id');
const BY_TXID = named('search_txid', 'chain_transactions', 'tx_id', 'subject_id');
/** Ids are numbers to the database: all that begin alike lie between two of them. */
const BY_ID = statement<
  [first: string, last: string, end: string, userId: string | null, limit: number],
  { id: string }
>(
  'search_order',
  `select d.id
     from (select id from delegations where id between $1::uuid and $2::uuid limit ${MOST_IDS}) f join delegations d on d.id = f.id
    where right(f.id::text, length($3)) = $3 and ($4::uuid is null or d.user_id = $4)
    limit $5`,
);

const OWN = statement<
  [
    userId: string,
    begin: string | null,
    end: string,
    first: string | null,
    last: string | null,
    idEnd: string,
    limit: number,
  ],
  { id: string }
>(
  'search_own',
  `select id
     from (select id, receiver from delegations where user_id = $1 order by created_at desc, id desc limit ${MOST_OWN}) d
    where starts_with(receiver, $2) and right(receiver, length($3)) = $3
       or id between $4::uuid and $5::uuid and right(id::text, length($6)) = $6
    limit $7`,
);

const OF_REQUEST = statement<[requestId: string, userId: string | null, limit: number], { id: string }>(
  'search_placed',
  `select d.id
     from (select delegation_id as id from delegation_events where kind = 'ordered' and detail ->> 'request_id' = $1
            limit ${MOST_LOOKED_AT}) f join delegations d on d.id = f.id
    where $2::uuid is null or d.user_id = $2
    limit $3`,
);

const HEX = /^[0-9a-f]+$/;
const UUID = [8, 4, 4, 4, 12];

/** Orders by what their ids, txids or receivers begin and end with. */
@Injectable()
export class NamedOrdersRepository {
  constructor(private readonly sql: Sql) {}

  /** The ids of some. `userId` null: of everybody. */
  async find(begin: string, end: string, userId: string | null, limit: number): Promise<string[]> {
    const [small, smallEnd] = [begin.toLowerCase(), end.toLowerCase()];
    const own = userId === null ? [] : this.own(begin, end, userId, limit);
    const [owned, receivers, txIds, ids] = await Promise.all([
      own,
      begin.startsWith('T') ? this.sql.rows(BY_RECEIVER, valuesOf(begin, end, userId, limit)) : [],
      HEX.test(small) ? this.sql.rows(BY_TXID, valuesOf(small, smallEnd, userId, limit)) : [],
      this.byId(small, smallEnd, userId, limit),
    ]);
    return [...new Set([...owned, ...receivers, ...txIds, ...ids].map(({ id }) => id))].slice(0, limit);
  }

  /** The ids of those that requests with this id have placed: a caller may have used it for several. */
  async ofRequest(requestId: string, userId: string | null, limit: number): Promise<string[]> {
    return (await this.sql.rows(OF_REQUEST, [requestId, userId, limit])).map(({ id }) => id);
  }

  private async byId(begin: string, end: string, userId: string | null, limit: number): Promise<{ id: string }[]> {
    const range = idsThatBegin(begin);
    return range === null ? [] : this.sql.rows(BY_ID, [...range, end, userId, limit]);
  }

  private async own(begin: string, end: string, userId: string, limit: number): Promise<{ id: string }[]> {
    const [receiver, range] = [begin.startsWith('T') ? begin : null, idsThatBegin(begin.toLowerCase())];
    if (receiver === null && range === null) return [];
    const [first, last] = range ?? [null, null];
    return this.sql.rows(OWN, [userId, receiver, end, first, last, end.toLowerCase(), limit]);
  }
}

function valuesOf(begin: string, end: string, userId: string | null, limit: number): SearchValues {
  const indexed = begin.slice(0, INDEXED);
  return [begin, begin + LAST, indexed, indexed + LAST, end, userId, limit];
}

/** Null: no id does. */
function idsThatBegin(begin: string): [first: string, last: string] | null {
  const digits = begin.replaceAll('-', '');
  if (!HEX.test(digits) || digits.length > 32 || !uuidOf(digits.padEnd(32, '0')).startsWith(begin)) return null;
  return [uuidOf(digits.padEnd(32, '0')), uuidOf(digits.padEnd(32, 'f'))];
}

function uuidOf(digits: string): string {
  let at = 0;
  return UUID.map((length) => digits.slice(at, (at += length))).join('-');
}
