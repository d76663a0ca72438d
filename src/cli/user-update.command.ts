import { Command, Option } from 'nest-commander';
import { UserAdminService } from '../admin/user-admin.service';
import { checkEmail, checkUserName } from '../users/user.validation';
import { commandLineOperator } from './command-line.operator';
import { printDocument } from './output';
import { UsageError } from './usage.error';
import { type UserOptions, UserSettingsCommand } from './user-settings';
import { userDocument } from './user.document';

@Command({ name: 'user:update', arguments: '<email>', description: 'change what is given, keep the rest' })
export class UserUpdateCommand extends UserSettingsCommand {
  constructor(private readonly admin: UserAdminService) {
    super();
  }

  @Option({ flags: '--name <name>' })
  protected readName(name: string): string {
    return checkUserName(name);
  }

  /** Not `--no-operator`: the parser would take its mere existence for `--operator`. */
  @Option({ flags: '--not-operator', description: 'no longer an operator' })
  protected readNotOperator(): boolean {
    return true;
  }

  override check([email]: string[], options: { operator?: boolean; notOperator?: boolean }): void {
    checkEmail(email!);
    if (options.operator && options.notOperator)
      throw new UsageError('--operator and --not-operator exclude each other');
  }

  async run([email]: string[], options: UserOptions & { notOperator?: boolean }): Promise<void> {
    const operator = options.notOperator ? false : options.operator;
    const settings = this.settingsOf({ ...options, operator });
    printDocument(userDocument(await this.admin.update(commandLineOperator(), email!, settings)), options);
  }
}
