import { Option } from 'nest-commander';
import { checkEmail } from '../auth/user-values';
import { UserService } from '../auth/user.service';
import type { Movement } from '../balance/ledger.service';
import { formatTrx } from '../common/sun';
import { CliCommand } from './cli-command';
import { parseAmountSun } from './option-parsers';
import { type OutputOptions, printDocument } from './output';

export interface MovementOptions extends OutputOptions {
  readonly user: string;
  readonly amount: bigint;
  readonly note: string;
  readonly reference?: string;
}

/** What `balance:credit` and `balance:debit` share. */
export abstract class BalanceMovementCommand extends CliCommand {
  constructor(private readonly users: UserService) {
    super();
  }

  @Option({ flags: '--user <email>', required: true })
  protected readUser(email: string): string {
    return checkEmail(email);
  }

  @Option({ flags: '--amount <native units>', required: true })
  protected readAmount(text: string): bigint {
    return parseAmountSun(text);
  }

  @Option({ flags: '--note <text>', description: 'kept in the ledger', required: true })
  protected readNote(note: string): string {
    return note;
  }

  @Option({ flags: '--reference <text>', description: 'the same one twice moves money once' })
  protected readReference(reference: string): string {
    return reference;
  }

  async run(_: string[], options: MovementOptions): Promise<void> {
    const { id: userId } = await this.users.get(options.user);
    const { amount: amountSun, note, reference } = options;
    const balanceSun = await this.move({ userId, amountSun, note, reference });
    printDocument({ balance: formatTrx(balanceSun) }, options);
  }

  /** The balance afterwards. */
  protected abstract move(movement: Movement): Promise<bigint>;
}
