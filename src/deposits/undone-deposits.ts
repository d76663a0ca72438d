import { Injectable } from '@nestjs/common';
import type { Undoing } from '../chain/verified-chain/chain-start';
import { UndonePlaces } from '../chain/observer/undone-places';
import type { BlockId } from '../chain/proof/block-header';
import type { SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';
import { LeftOutAddresses } from './left-out-addresses';
import { SCANNER } from './scanner-name';

/** An instance that credits one has its row locked: then it is credited, and stays. */
const UNSETTLE = statement<[above: number], { id: string }>(
  'deposits_unsettle',
  `update deposits set state = 'seen', is_final = false, rate_sun = null, credit_sun = null, waits_for = null
    where block_number > $1 and is_final and state <> 'credited' returning id`,
);
const CREDITED_ABOVE = statement<[above: number], { id: string }>(
  'deposits_credited_above',
  `select id from deposits where block_number > $1 and state = 'credited' order by id`,
);

export interface UndoneFacts {
  readonly deposits_from: number;
  readonly deposits_undecided: readonly string[];
  /** They stay credited; the branch may not have them. */
  readonly deposits_credited: readonly string[];
}

/** What final blocks had decided about deposits, when an operator accepts a branch without these blocks. */
@Injectable()
export class UndoneDeposits {
  constructor(
    private readonly places: UndonePlaces,
    private readonly leftOut: LeftOutAddresses,
  ) {}

  /** The block from which the scanner has to go on; null: it has not begun. @throws NodeUnavailableError */
  findShared(branch: Undoing): Promise<BlockId | null> {
    return this.places.findShared(SCANNER, branch.idAt);
  }

  /** The scanner reads the branch from there on, and decides again about all that is not credited. */
  async goBackTo(shared: BlockId | null, tx: SqlTransaction): Promise<UndoneFacts | null> {
    if (!shared || !(await this.places.setBack(SCANNER, shared, tx))) return null;
    await this.leftOut.undo(shared.number, tx);
    const undecided = await tx.rows(UNSETTLE, [shared.number]);
    const credited = await tx.rows(CREDITED_ABOVE, [shared.number]);
    return {
      deposits_from: shared.number + 1,
      deposits_undecided: undecided.map(({ id }) => id),
      deposits_credited: credited.map(({ id }) => id),
    };
  }
}
