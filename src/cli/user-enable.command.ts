import { Command } from 'nest-commander';
import { checkEmail } from '../auth/user-values';
import { UserService } from '../auth/user.service';
import { CliCommand } from './cli-command';
import { type OutputOptions, printDocument } from './output';
import { userDocument } from './user.document';

@Command({ name: 'user:enable', arguments: '<email>', description: 'let a disabled user in again' })
export class UserEnableCommand extends CliCommand {
  constructor(private readonly users: UserService) {
    super();
  }

  override check([email]: string[]): void {
    checkEmail(email!);
  }

  async run([email]: string[], options: OutputOptions): Promise<void> {
    printDocument(userDocument(await this.users.enable(email!)), options);
  }
}
