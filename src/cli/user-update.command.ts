import { Command, Option } from 'nest-commander';
import { UserService } from '../auth/user.service';
import { printDocument } from './output';
import { userDocument } from './user.document';
import { type UserOptions, UserSettingsCommand } from './user-settings';

@Command({ name: 'user:update', arguments: '<email>', description: 'change what is given, keep the rest' })
export class UserUpdateCommand extends UserSettingsCommand {
  constructor(private readonly users: UserService) {
    super();
  }

  @Option({ flags: '--name <name>' })
  protected readName(name: string): string {
    return name;
  }

  @Option({ flags: '--no-operator', description: 'no longer an operator' })
  protected readNoOperator(): boolean {
    return false;
  }

  async run([email]: string[], options: UserOptions): Promise<void> {
    printDocument(userDocument(await this.users.update(email!, this.settingsOf(options))), options);
  }
}
