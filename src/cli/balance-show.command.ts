import { Command, Option } from 'nest-commander';
import { BalanceService } from '../balance/balance.service';
import { formatTrx } from '../common/money/sun';
import { UserService } from '../users/user.service';
import { checkEmail } from '../users/user.validation';
import { CliCommand } from './cli-command';
import { type OutputOptions, printDocument } from './output';

@Command({ name: 'balance:show', description: "a user's balance, what is held of it and what can be spent" })
export class BalanceShowCommand extends CliCommand {
  constructor(
    private readonly users: UserService,
    private readonly balances: BalanceService,
  ) {
    super();
  }

  @Option({ flags: '--user <email>', required: true })
  protected readUser(email: string): string {
    return checkEmail(email);
  }

  async run(_: string[], options: OutputOptions & { user: string }): Promise<void> {
    const balance = await this.balances.getBalance((await this.users.get(options.user)).id);
    printDocument(
      {
        balance: formatTrx(balance.balanceSun),
        held: formatTrx(balance.heldSun),
        available: formatTrx(balance.availableSun),
        updated_at: balance.updatedAt,
      },
      options,
    );
  }
}
