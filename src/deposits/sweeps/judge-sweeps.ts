import { Injectable, Logger } from '@nestjs/common';
import { FinalTransactions } from '../../chain/observer/final-transactions';
import { hasSucceeded } from '../../chain/proof/transfer';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { Sql } from '../../database/sql';
import { FIND_LANDED, JUDGED } from './sweep.statements';

/** A call of a contract can be in a block and have moved nothing: the result that the block's root proves decides. */
@Injectable()
export class JudgeSweeps {
  private readonly logger = new Logger(JudgeSweeps.name);

  constructor(
    private readonly sql: Sql,
    private readonly transactions: FinalTransactions,
  ) {}

  /** What nodes do not show now is asked for again with the next run. @throws NodeUnavailableError */
  async run(): Promise<void> {
    await forEachConcurrently(await this.sql.rows(FIND_LANDED), async ({ id, tx_id: txId, address }) => {
      const found = await this.transactions.find(txId);
      if ('why' in found) return;
      if (hasSucceeded(found.tail)) {
        await this.sql.execute(JUDGED, [id, 'final', null]);
        return;
      }
      const error = 'its call failed in the block, and moved nothing';
      // Another instance may have judged it meanwhile, and said so.
      if ((await this.sql.execute(JUDGED, [id, 'failed', error])) === 1)
        this.logger.error({ sweep: id, address }, `A sweep of ${address}: ${error}`);
    });
  }
}
