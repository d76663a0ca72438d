import { Injectable } from '@nestjs/common';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { Sql } from '../../database/sql';
import { EXPIRE_UNSENT } from './sweep.statements';

/** Ends sweeps that no block can have any more, and that this service has not sent. Those that it has sent end by what blocks prove. */
@Injectable()
export class ExpireSweeps {
  constructor(
    private readonly sql: Sql,
    private readonly references: ReferenceBlocks,
  ) {}

  /** By the newest final block's time. @throws NodeUnavailableError */
  async run(): Promise<void> {
    await this.sql.execute(EXPIRE_UNSENT, [await this.references.finalTimeMs()]);
  }
}
