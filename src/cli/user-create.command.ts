import { Command, Option } from 'nest-commander';
import { UserAdminService } from '../admin/user-admin.service';
import { checkEmail, checkUserName } from '../users/user.validation';
import { commandLineOperator } from './command-line.operator';
import { printDocument } from './output';
import { type UserOptions, UserSettingsCommand } from './user-settings';
import { userDocument } from './user.document';

@Command({ name: 'user:create', description: 'add a user with an empty account' })
export class UserCreateCommand extends UserSettingsCommand {
  constructor(private readonly admin: UserAdminService) {
    super();
  }

  @Option({ flags: '--email <email>', required: true })
  protected readEmail(email: string): string {
    return checkEmail(email);
  }

  @Option({ flags: '--name <name>', required: true })
  protected readName(name: string): string {
    return checkUserName(name);
  }

  async run(_: string[], options: UserOptions & { email: string; name: string }): Promise<void> {
    const settings = { ...this.settingsOf(options), name: options.name };
    const user = await this.admin.create(commandLineOperator(), options.email, settings);
    printDocument(userDocument(user), options);
  }
}
