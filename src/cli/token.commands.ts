import { Inject } from '@nestjs/common';
import { TokenAdminService } from '../admin/token-admin.service';
import type { TokenRecord } from '../auth/tokens/api-token.repository';
import { checkTokenName } from '../auth/tokens/api-token.service';
import { checkIps, checkReceivers, listed, type TokenLimits } from '../auth/tokens/token-limits';
import { type ListedToken, TokenListRepository } from '../auth/tokens/token-list.repository';
import { formatTrx } from '../common/money/sun';
import { PERMISSIONS } from '../users/permissions';
import { UserService } from '../users/user.service';
import { CliCommand, Command, type CommandOption } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { BY_ID, OF_USER, parseId, parsePositiveInteger, parseTrxSun } from './option-parsers';
import { type OutputOptions, printDocument, printLine, printList } from './output';
import { UsageError } from './usage.error';

const TOKEN_COLUMNS = ['id', 'name', 'prefix', 'permissions', 'created_at', 'last_used_at', 'expires_at', 'revoked_at'];
const LIMIT_COLUMNS = ['daily_limit', 'max_cost', 'receivers', 'ips'];

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
    daily_limit: token.dailyLimitSun === null ? null : formatTrx(token.dailyLimitSun),
    max_cost: token.maxCostSun === null ? null : formatTrx(token.maxCostSun),
    receivers: token.receivers,
    ips: token.ips,
  };
}

/** What stands for no limit. The parser turns null into an empty string, so the word itself goes through it. */
const NONE = 'none';
type OrNone<T> = T | typeof NONE;

interface LimitOptions {
  readonly dailyLimit?: OrNone<bigint>;
  readonly maxCost?: OrNone<bigint>;
  readonly receivers?: OrNone<string[]>;
  readonly ips?: OrNone<string[]>;
}

const orNone =
  <T>(read: (text: string) => T) =>
  (text: string): OrNone<T> =>
    text === NONE ? NONE : read(text);

/** What `token:create` and `token:update` share. */
const LIMITS: readonly CommandOption[] = [
  {
    flags: '--daily-limit <TRX>',
    description: 'what orders of the token may cost in a UTC day, by list price; or "none"',
    read: orNone((text) => parseTrxSun('--daily-limit', text)),
  },
  {
    flags: '--max-cost <TRX>',
    description: 'what each order may cost; or "none"',
    read: orNone((text) => parseTrxSun('--max-cost', text)),
  },
  {
    flags: '--receivers <T1,T2>',
    description: 'the only addresses that the token may order for and look up; or "none"',
    read: orNone((text) => checkReceivers(listed(text)) ?? missing('--receivers')),
  },
  {
    flags: '--ips <CIDR,…>',
    description: 'the only networks that the token may be used from; or "none"',
    read: orNone((text) => checkIps(listed(text)) ?? missing('--ips')),
  },
];

/** Those that were given. */
function limitsOf({ dailyLimit, maxCost, receivers, ips }: LimitOptions): Partial<TokenLimits> {
  return {
    ...(dailyLimit !== undefined && { dailyLimitSun: dailyLimit === NONE ? null : dailyLimit }),
    ...(maxCost !== undefined && { maxCostSun: maxCost === NONE ? null : maxCost }),
    ...(receivers !== undefined && { receivers: receivers === NONE ? null : receivers }),
    ...(ips !== undefined && { ips: ips === NONE ? null : ips }),
  };
}

/** An empty list could be meant as none at all, or as none allowed. */
function missing(flag: string): never {
  throw new UsageError(`${flag} needs a list, or "${NONE}" for no limit`);
}

interface Options extends OutputOptions, LimitOptions {
  readonly user: string;
  readonly name: string;
  readonly permissions: string[];
  readonly expiresInDays?: number;
}

function readPermissions(list: string): string[] {
  const permissions = list.split(',').map((permission) => permission.trim());
  const unknown = permissions.find((permission) => !(PERMISSIONS as readonly string[]).includes(permission));
  if (unknown === undefined) return permissions;
  throw new UsageError(`--permissions takes ${PERMISSIONS.join(', ')}, not ${JSON.stringify(unknown)}`);
}

@Command({
  name: 'token:create',
  description: 'create a token and print it; this is the only time it is shown',
  options: [
    OF_USER,
    { flags: '--name <name>', read: checkTokenName, required: true },
    {
      flags: '--permissions <list>',
      description: 'delegate, balance, or both (delegate,balance)',
      read: readPermissions,
      required: true,
    },
    {
      flags: '--expires-in-days <days>',
      description: 'default: the token never expires',
      read: (text) => parsePositiveInteger('--expires-in-days', text, 36_500),
    },
    ...LIMITS,
  ],
})
export class TokenCreateCommand extends CliCommand {
  @Inject() private readonly admin!: TokenAdminService;

  async run(_: string[], options: Options): Promise<void> {
    const { user, name, permissions, expiresInDays } = options;
    const wanted = { name, permissions, expiresInDays, limits: limitsOf(options) };
    const { token, row } = await this.admin.create(commandLineOperator(), user, wanted);
    if (!options.json) return printLine(token);
    const { id, prefix, expiresAt } = row;
    const expires_at = expiresAt?.toISOString() ?? null;
    printDocument({ id, token, prefix, permissions: row.permissions, expires_at }, options);
  }
}

@Command({
  name: 'token:update',
  argument: BY_ID,
  description: 'change the limits that you give, and keep the others',
  options: LIMITS,
})
export class TokenUpdateCommand extends CliCommand {
  @Inject() private readonly admin!: TokenAdminService;

  async run([id]: string[], options: OutputOptions & LimitOptions): Promise<void> {
    const limits = limitsOf(options);
    const updated = await this.admin.setLimits(commandLineOperator(), parseId(id!), limits);
    printDocument(tokenDocument(updated), options);
  }
}

@Command({
  name: 'token:list',
  description: "list a user's tokens, newest first, including revoked and expired ones",
  options: [OF_USER],
})
export class TokenListCommand extends ListCommand {
  @Inject() private readonly users!: UserService;
  @Inject() private readonly tokens!: TokenListRepository;

  async run(_: string[], options: ListOptions & { user: string }): Promise<void> {
    const { id } = await this.users.get(options.user);
    const tokens = await this.tokens.page(id, { limit: options.limit });
    printList([...TOKEN_COLUMNS, ...LIMIT_COLUMNS], tokens.map(tokenDocument), options);
  }
}

@Command({
  name: 'token:revoke',
  argument: BY_ID,
  description: 'revoke a token: the service refuses it from the next request on',
})
export class TokenRevokeCommand extends CliCommand {
  @Inject() private readonly admin!: TokenAdminService;

  async run([id]: string[], options: OutputOptions): Promise<void> {
    const revoked = await this.admin.revoke(commandLineOperator(), parseId(id!));
    printList(TOKEN_COLUMNS, [tokenDocument(revoked)], options);
  }
}
