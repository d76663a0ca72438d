import { Command } from 'nest-commander';
import { BalanceMovementCommand } from './balance-movement';

@Command({ name: 'balance:debit', description: 'take from what a user can spend' })
export class BalanceDebitCommand extends BalanceMovementCommand {
  protected readonly kind = 'debit';
}
