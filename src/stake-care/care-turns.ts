import { Injectable } from '@nestjs/common';
import { claimTurn } from '../database/claim-turn.sql';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';

const CLAIM = statement<[everyMs: number], { name: string }>(
  'stake_care_claim_turn',
  `${claimTurn('stake-care', '$1')} returning name`,
);

/** Which instance looks after all stakes now. */
@Injectable()
export class CareTurns {
  constructor(private readonly sql: Sql) {}

  /** True: for so long, no other instance does. */
  async claim(everyMs: number): Promise<boolean> {
    return (await this.sql.row(CLAIM, [everyMs])) !== null;
  }
}
