import { Command, Option } from 'nest-commander';
import { TokenAdminService } from '../admin/token-admin.service';
import { checkTokenName } from '../auth/tokens/api-token.service';
import { PERMISSIONS } from '../users/permissions';
import { checkEmail } from '../users/user.validation';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { parsePositiveInteger } from './option-parsers';
import { type OutputOptions, printDocument, printLine } from './output';
import { UsageError } from './usage.error';

interface Options extends OutputOptions {
  readonly user: string;
  readonly name: string;
  readonly permissions: string[];
  readonly expiresInDays?: number;
}

@Command({ name: 'token:create', description: 'make a token and print it, the only time it is ever shown' })
export class TokenCreateCommand extends CliCommand {
  constructor(private readonly admin: TokenAdminService) {
    super();
  }

  @Option({ flags: '--user <email>', required: true })
  protected readUser(email: string): string {
    return checkEmail(email);
  }

  @Option({ flags: '--name <name>', required: true })
  protected readName(name: string): string {
    return checkTokenName(name);
  }

  @Option({ flags: '--permissions <list>', description: 'delegate,balance or one of them', required: true })
  protected readPermissions(list: string): string[] {
    const permissions = list.split(',').map((permission) => permission.trim());
    const unknown = permissions.find((permission) => !(PERMISSIONS as readonly string[]).includes(permission));
    if (unknown === undefined) return permissions;
    throw new UsageError(`--permissions takes ${PERMISSIONS.join(', ')}, not ${JSON.stringify(unknown)}`);
  }

  @Option({ flags: '--expires-in-days <days>', description: 'without it the token never expires' })
  protected readDays(text: string): number {
    return parsePositiveInteger('--expires-in-days', text, 36_500);
  }

  async run(_: string[], options: Options): Promise<void> {
    const { user, name, permissions, expiresInDays } = options;
    const wanted = { name, permissions, expiresInDays };
    const { token, row } = await this.admin.create(commandLineOperator(), user, wanted);
    if (!options.json) return printLine(token);
    const { id, prefix, expiresAt } = row;
    const expires_at = expiresAt?.toISOString() ?? null;
    printDocument({ id, token, prefix, permissions: row.permissions, expires_at }, options);
  }
}
