import { Command } from 'nest-commander';
import { BalanceMovementCommand } from './balance-movement';

@Command({ name: 'balance:credit', description: "add to a user's balance" })
export class BalanceCreditCommand extends BalanceMovementCommand {
  protected readonly kind = 'credit';
}
