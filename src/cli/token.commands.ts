import { Command, Option } from 'nest-commander';
import { TokenAdminService } from '../admin/token-admin.service';
import type { TokenRecord } from '../auth/tokens/api-token.repository';
import { checkTokenName } from '../auth/tokens/api-token.service';
import { type ListedToken, TokenListRepository } from '../auth/tokens/token-list.repository';
import { PERMISSIONS } from '../users/permissions';
import { UserService } from '../users/user.service';
import { checkEmail } from '../users/user.validation';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { parseId, parsePositiveInteger } from './option-parsers';
import { type OutputOptions, printDocument, printLine, printList } from './output';
import { UsageError } from './usage.error';

const TOKEN_COLUMNS = ['id', 'name', 'prefix', 'permissions', 'created_at', 'last_used_at', 'expires_at', 'revoked_at'];

function tokenDocument(token: TokenRecord | ListedToken) {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    permissions: token.permissions,
    created_at: token.createdAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    expires_at: token.expiresAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
  };
}

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

@Command({ name: 'token:list', description: "a user's tokens, newest first, revoked and expired ones included" })
export class TokenListCommand extends ListCommand {
  constructor(
    private readonly users: UserService,
    private readonly tokens: TokenListRepository,
  ) {
    super();
  }

  @Option({ flags: '--user <email>', required: true })
  protected readUser(email: string): string {
    return checkEmail(email);
  }

  async run(_: string[], options: ListOptions & { user: string }): Promise<void> {
    const { id } = await this.users.get(options.user);
    printList(TOKEN_COLUMNS, (await this.tokens.page(id, { limit: options.limit })).map(tokenDocument), options);
  }
}

@Command({ name: 'token:revoke', arguments: '<id>', description: 'refuse a token from the next request on' })
export class TokenRevokeCommand extends CliCommand {
  constructor(private readonly admin: TokenAdminService) {
    super();
  }

  override check([id]: string[]): void {
    parseId(id!);
  }

  async run([id]: string[], options: OutputOptions): Promise<void> {
    const revoked = await this.admin.revoke(commandLineOperator(), parseId(id!));
    printList(TOKEN_COLUMNS, [tokenDocument(revoked)], options);
  }
}
