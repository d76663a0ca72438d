import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction } from '../../database/sql';
import { statement } from '../../database/statement';
import type { BlockId } from '../proof/block-header';
import { ChainIdentityRepository } from '../tron/node/chain-identity.repository';
import { heightOf } from './trail';

const TRAIL = statement<[subscriber: string], { number: bigint; id: string; trail: string[] }>(
  'followed_block_trail',
  'select number, id, trail from followed_blocks where subscriber = $1',
);
/** Waits for an instance that gives the subscriber a block of the undone branch, and sets the place back from there. */
const SET_BACK = statement<[subscriber: string, number: number, id: string]>(
  'followed_block_set_back',
  `update followed_blocks
      set number = $2, id = $3, moved_at = clock_timestamp(), trail = array(select one from unnest(trail) with ordinality as t (one, at)
                                               where left(one, 16) <= left($3, 16) order by at)
    where subscriber = $1 and number > $2`,
);

/** Where subscribers go on once an operator has accepted a branch that undoes final blocks. */
@Injectable()
export class UndonePlaces {
  constructor(
    private readonly sql: Sql,
    private readonly identity: ChainIdentityRepository,
  ) {}

  /**
   * The highest block of the subscriber's trail that the branch has too, genesis at the lowest: a block between it and the fork is given a
   * second time. Null when the subscriber was given none.
   * @param idAt the branch's block at this height; an id that the branch does not have holds the subscriber up, and gives it nothing wrong
   * @throws NodeUnavailableError
   */
  async findShared(subscriber: string, idAt: (number: number) => Promise<string | null>): Promise<BlockId | null> {
    const place = await this.sql.row(TRAIL, [subscriber]);
    if (!place) return null;
    for (const id of new Set([place.id, ...place.trail])) {
      const number = heightOf(id);
      if ((await idAt(number)) === id) return { number, id };
    }
    return { number: 0, id: (await this.identity.find())! };
  }

  /** After the branch was accepted in this transaction. False: the place is not above this block. */
  async setBack(subscriber: string, { number, id }: BlockId, tx: SqlTransaction): Promise<boolean> {
    return (await tx.execute(SET_BACK, [subscriber, number, id])) > 0;
  }
}
