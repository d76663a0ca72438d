import { Command } from 'nest-commander';
import { UserAdminService } from '../admin/user-admin.service';
import { checkEmail } from '../users/user.validation';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument } from './output';
import { userDocument } from './user.document';

@Command({ name: 'user:enable', arguments: '<email>', description: 'let a disabled user in again' })
export class UserEnableCommand extends CliCommand {
  constructor(private readonly admin: UserAdminService) {
    super();
  }

  override check([email]: string[]): void {
    checkEmail(email!);
  }

  async run([email]: string[], options: OutputOptions): Promise<void> {
    printDocument(userDocument(await this.admin.enable(commandLineOperator(), email!)), options);
  }
}
