import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { LOCK_OLD, MOVES } from './archive.statements';

/** The tables `archived_…`: rows of orders that are over, as they were. Nothing changes them there. */
@Injectable()
export class ArchiveRepository {
  constructor(private readonly sql: Sql) {}

  /** The number of orders moved, `limit` at most: all rows of an order in one transaction, so that it is in one place or the other. */
  moveOld(retainMs: number, limit: number): Promise<number> {
    return this.sql.transaction(async (tx) => {
      const ids = (await tx.rows(LOCK_OLD, [retainMs, limit])).map(({ id }) => id);
      if (ids.length > 0) for (const move of MOVES) await tx.execute(move, [ids]);
      return ids.length;
    });
  }
}
