import { Command } from 'nest-commander';
import { UserService } from '../auth/user.service';
import { LedgerService, type Movement } from '../balance/ledger.service';
import { BalanceMovementCommand } from './balance-movement';

@Command({ name: 'balance:credit', description: "add to a user's balance" })
export class BalanceCreditCommand extends BalanceMovementCommand {
  constructor(
    users: UserService,
    private readonly ledger: LedgerService,
  ) {
    super(users);
  }

  protected move(movement: Movement): Promise<bigint> {
    return this.ledger.credit(movement);
  }
}
