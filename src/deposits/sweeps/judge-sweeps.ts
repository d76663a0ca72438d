import { Injectable, Logger } from '@nestjs/common';
import { FinalTransactions } from '../../chain/observer/final-transactions';
import { type AcceptedResult, AcceptedResults } from '../../chain/observer/unproved/accepted-results';
import { hasSucceeded } from '../../chain/proof/transfer';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { Sql } from '../../database/sql';
import { CLAIM_LANDED, JUDGED } from './sweep.statements';

const ERRORS: Readonly<Record<Exclude<AcceptedResult, 'succeeded'>, string>> = {
  failed: 'its call failed in the block, and moved nothing',
  unlisted:
    'whether its call moved anything cannot be proved: its block was accepted without proof, and nodes list another result now. The next plan reads what is held',
};

/**
 * A call of a contract can be in a block and have moved nothing: the result that the block's root proves decides, or the one that was accepted
 * with a block that cannot be proved.
 */
@Injectable()
export class JudgeSweeps {
  private readonly logger = new Logger(JudgeSweeps.name);

  constructor(
    private readonly sql: Sql,
    private readonly transactions: FinalTransactions,
    private readonly accepted: AcceptedResults,
  ) {}

  /** What nodes do not show now is asked for again with a later run. @throws NodeUnavailableError */
  async run(): Promise<void> {
    await forEachConcurrently(await this.sql.rows(CLAIM_LANDED), async ({ id, tx_id: txId, address }) => {
      const result = await this.resultOf(txId);
      if (result === null) return;
      if (result === 'succeeded') {
        await this.sql.execute(JUDGED, [id, 'final', null]);
        return;
      }
      const error = ERRORS[result];
      // Another instance may have judged it meanwhile, and said so.
      if ((await this.sql.execute(JUDGED, [id, 'failed', error])) === 1)
        this.logger.error({ sweep: id, address }, `A sweep of ${address}: ${error}`);
    });
  }

  private async resultOf(txId: string): Promise<AcceptedResult | null> {
    const found = await this.transactions.find(txId);
    if ('why' in found) return this.accepted.of(txId);
    return hasSucceeded(found.tail) ? 'succeeded' : 'failed';
  }
}
