import { Command } from 'nest-commander';
import { UserAdminService } from '../admin/user-admin.service';
import { checkEmail } from '../users/user.validation';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument, printLine } from './output';

@Command({
  name: 'user:invite',
  arguments: '<email>',
  description: 'print a one-time link where the user sets a password, for the first time or anew',
})
export class UserInviteCommand extends CliCommand {
  constructor(private readonly admin: UserAdminService) {
    super();
  }

  override check([email]: string[]): void {
    checkEmail(email!);
  }

  async run([email]: string[], options: OutputOptions): Promise<void> {
    const { url, expiresAt } = await this.admin.invite(commandLineOperator(), email!);
    if (!options.json) return printLine(url);
    printDocument({ url, expires_at: expiresAt.toISOString() }, options);
  }
}
