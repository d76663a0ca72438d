import { Inject } from '@nestjs/common';
import { Command, Option } from 'nest-commander';
import { UserAdminService } from '../admin/user-admin.service';
import { PRICING, type PricingStrategy } from '../billing/pricing/pricing.strategy';
import { formatTrx } from '../common/money/sun';
import { type UserRecord, UserService } from '../users/user.service';
import { checkEmail, checkUserName } from '../users/user.validation';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { parsePositiveInteger, parsePriceSun, parseTrxSun } from './option-parsers';
import { type OutputOptions, printDocument, printLine, printList } from './output';
import { UsageError } from './usage.error';

function userDocument(user: UserRecord) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    operator: user.operator,
    unit_price: user.unitPriceSun === null ? null : formatTrx(user.unitPriceSun),
    rate_limit: user.rateLimitPerMinute,
    low_balance: user.lowBalanceSun === null ? null : formatTrx(user.lowBalanceSun),
    disabled: user.disabledAt !== null,
  };
}

/** The parser turns null into an empty string, so the word itself goes through it. */
const DEFAULT = 'default';
const NONE = 'none';

interface UserOptions extends OutputOptions {
  readonly name?: string;
  readonly operator?: boolean;
  readonly unitPrice?: bigint | typeof DEFAULT;
  readonly rateLimit?: number | typeof DEFAULT;
  readonly lowBalance?: bigint | typeof NONE;
}

/** What `user:create` and `user:update` share. */
abstract class UserSettingsCommand extends CliCommand {
  @Inject(PRICING)
  private readonly pricing!: PricingStrategy;

  @Option({ flags: '--operator', description: 'may operate the service from the panel' })
  protected readOperator(): boolean {
    return true;
  }

  @Option({ flags: '--unit-price <native units>', description: 'variant B, 2 to 2.5 per transaction; or "default"' })
  protected readUnitPrice(text: string): bigint | typeof DEFAULT {
    return text === DEFAULT ? DEFAULT : parsePriceSun(text);
  }

  @Option({ flags: '--rate-limit <calls>', description: 'calls a minute over all routes and tokens; or "default"' })
  protected readRateLimit(text: string): number | typeof DEFAULT {
    return text === DEFAULT ? DEFAULT : parsePositiveInteger('--rate-limit', text, 1_000_000);
  }

  @Option({
    flags: '--low-balance <native units>',
    description: 'webhooks and panel say when less can be spent; or "none"',
  })
  protected readLowBalance(text: string): bigint | typeof NONE {
    return text === NONE ? NONE : parseTrxSun('--low-balance', text);
  }

  protected settingsOf({ name, operator, unitPrice, rateLimit, lowBalance }: UserOptions) {
    // It is stored all the same: prices may be set before the variant is switched.
    if (unitPrice !== undefined && !this.pricing.usesAccountPrice) {
      process.stderr.write(`Warning: --unit-price has no effect under ${this.pricing.description}\n`);
    }
    return {
      name,
      operator,
      unitPriceSun: unitPrice === DEFAULT ? null : unitPrice,
      rateLimitPerMinute: rateLimit === DEFAULT ? null : rateLimit,
      lowBalanceSun: lowBalance === NONE ? null : lowBalance,
    };
  }
}

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

  @Option({ flags: '--force', description: 'take the role away from the last operator too' })
  protected readForce(): boolean {
    return true;
  }

  override check([email]: string[], options: { operator?: boolean; notOperator?: boolean }): void {
    checkEmail(email!);
    if (options.operator && options.notOperator)
      throw new UsageError('--operator and --not-operator exclude each other');
  }

  async run([email]: string[], options: UserOptions & { notOperator?: boolean; force?: boolean }): Promise<void> {
    const operator = options.notOperator ? false : options.operator;
    const settings = this.settingsOf({ ...options, operator });
    const evenTheLast = { evenTheLast: options.force === true };
    printDocument(userDocument(await this.admin.update(commandLineOperator(), email!, settings, evenTheLast)), options);
  }
}

@Command({
  name: 'user:disable',
  arguments: '<email>',
  description: 'refuse every token of a user from the next request on, and end the sessions and links',
})
export class UserDisableCommand extends CliCommand {
  constructor(private readonly admin: UserAdminService) {
    super();
  }

  @Option({ flags: '--force', description: 'disable the last operator too' })
  protected readForce(): boolean {
    return true;
  }

  override check([email]: string[]): void {
    checkEmail(email!);
  }

  async run([email]: string[], options: OutputOptions & { force?: boolean }): Promise<void> {
    const evenTheLast = { evenTheLast: options.force === true };
    printDocument(userDocument(await this.admin.disable(commandLineOperator(), email!, evenTheLast)), options);
  }
}

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

@Command({
  name: 'user:invite',
  arguments: '<email>',
  description: 'print a one-time link where the user sets a password, for the first time or again',
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

@Command({
  name: 'user:reset-second-factor',
  arguments: '<email>',
  description: 'remove the second factor and the recovery codes of a user who has lost them, and end the sessions',
})
export class UserResetSecondFactorCommand extends CliCommand {
  constructor(private readonly admin: UserAdminService) {
    super();
  }

  override check([email]: string[]): void {
    checkEmail(email!);
  }

  async run([email]: string[], options: OutputOptions): Promise<void> {
    await this.admin.resetSecondFactor(commandLineOperator(), email!);
    printDocument({ email: checkEmail(email!), second_factor: false }, options);
  }
}

const COLUMNS = ['id', 'email', 'name', 'operator', 'unit_price', 'rate_limit', 'low_balance', 'disabled', 'balance'];

@Command({ name: 'user:list', description: 'all users with their balances, oldest first' })
export class UserListCommand extends ListCommand {
  constructor(private readonly users: UserService) {
    super();
  }

  async run(_: string[], options: ListOptions): Promise<void> {
    const users = await this.users.list(options.limit);
    const rows = users.map((user) => ({ ...userDocument(user), balance: formatTrx(user.balanceSun) }));
    printList(COLUMNS, rows, options);
  }
}
