import { Inject } from '@nestjs/common';
import { SignUpService } from '../auth/sign-ups/sign-up.service';
import { UserAdminService } from '../admin/user-admin.service';
import { PRICING, type PricingStrategy } from '../billing/pricing/pricing.strategy';
import { formatTrx } from '../common/money/sun';
import { MailOutbox } from '../mail/mail-outbox';
import { UserService } from '../users/user.service';
import { checkEmail, checkUserName } from '../users/user.validation';
import { CliCommand, Command, type CommandOption } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { parsePositiveInteger, parsePriceSun, parseTrxSun } from './option-parsers';
import { type OutputOptions, printDocument, printLine, printList } from './output';
import { UsageError } from './usage.error';
import { signUpDocument, userDocument } from './user.documents';

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

const BY_EMAIL = { name: '<email>', read: checkEmail };
const SETTINGS: readonly CommandOption[] = [
  { flags: '--operator', description: 'the user may operate the service from the panel' },
  {
    flags: '--unit-price <native units>',
    description: 'variant B, 2 to 2.5 per transaction; or "default"',
    read: (text) => (text === DEFAULT ? DEFAULT : parsePriceSun(text)),
  },
  {
    flags: '--rate-limit <calls>',
    description: 'calls a minute over all routes and tokens of the user; or "default"',
    read: (text) => (text === DEFAULT ? DEFAULT : parsePositiveInteger('--rate-limit', text, 1_000_000)),
  },
  {
    flags: '--low-balance <native units>',
    description: 'alert the user when less than this can be spent; or "none"',
    read: (text) => (text === NONE ? NONE : parseTrxSun('--low-balance', text)),
  },
];

/** What `user:create` and `user:update` share. */
abstract class UserSettingsCommand extends CliCommand {
  @Inject() protected readonly admin!: UserAdminService;
  @Inject(PRICING) private readonly pricing!: PricingStrategy;

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

@Command({
  name: 'user:create',
  description: 'add a user with an empty account',
  options: [
    { flags: '--email <email>', read: checkEmail, required: true },
    { flags: '--name <name>', read: checkUserName, required: true },
    ...SETTINGS,
  ],
})
export class UserCreateCommand extends UserSettingsCommand {
  async run(_: string[], options: UserOptions & { email: string; name: string }): Promise<void> {
    const settings = { ...this.settingsOf(options), name: options.name };
    const user = await this.admin.create(commandLineOperator(), options.email, settings);
    printDocument(userDocument(user), options);
  }
}

@Command({
  name: 'user:update',
  argument: BY_EMAIL,
  description: 'change the settings that you give, and keep the others',
  options: [
    { flags: '--name <name>', read: checkUserName },
    // Not `--no-operator`: the parser would take its mere existence for `--operator`.
    { flags: '--not-operator', description: 'remove the operator role' },
    { flags: '--force', description: 'remove the role even from the last operator' },
    ...SETTINGS,
  ],
})
export class UserUpdateCommand extends UserSettingsCommand {
  override check(params: string[], options: { operator?: boolean; notOperator?: boolean }): void {
    super.check(params, options);
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
  argument: BY_EMAIL,
  description: 'disable a user: refuse every token from the next request on, and end all sessions and links',
  options: [{ flags: '--force', description: 'disable even the last operator' }],
})
export class UserDisableCommand extends CliCommand {
  @Inject() private readonly admin!: UserAdminService;

  async run([email]: string[], options: OutputOptions & { force?: boolean }): Promise<void> {
    const evenTheLast = { evenTheLast: options.force === true };
    printDocument(userDocument(await this.admin.disable(commandLineOperator(), email!, evenTheLast)), options);
  }
}

@Command({ name: 'user:enable', argument: BY_EMAIL, description: 'enable a disabled user again' })
export class UserEnableCommand extends CliCommand {
  @Inject() private readonly admin!: UserAdminService;

  async run([email]: string[], options: OutputOptions): Promise<void> {
    printDocument(userDocument(await this.admin.enable(commandLineOperator(), email!)), options);
  }
}

@Command({
  name: 'user:invite',
  argument: BY_EMAIL,
  description:
    'print a one-time link with which the user sets a password; where mail is set up, also mail the user a link',
})
export class UserInviteCommand extends CliCommand {
  @Inject() private readonly admin!: UserAdminService;
  @Inject() private readonly outbox!: MailOutbox;

  async run([email]: string[], options: OutputOptions): Promise<void> {
    const { url, expiresAt } = await this.admin.invite(commandLineOperator(), email!);
    if (this.outbox.isOpen) process.stderr.write(`The service also mails a link to ${email!}.\n`);
    if (!options.json) return printLine(url);
    printDocument({ url, expires_at: expiresAt.toISOString() }, options);
  }
}

@Command({
  name: 'user:reset-second-factor',
  argument: BY_EMAIL,
  description: 'remove the second factor and the recovery codes of a user who has lost them, and end all sessions',
})
export class UserResetSecondFactorCommand extends CliCommand {
  @Inject() private readonly admin!: UserAdminService;

  async run([email]: string[], options: OutputOptions): Promise<void> {
    await this.admin.resetSecondFactor(commandLineOperator(), email!);
    printDocument({ email: checkEmail(email!), second_factor: false }, options);
  }
}

const COLUMNS = ['id', 'email', 'name', 'operator', 'unit_price', 'rate_limit', 'low_balance', 'disabled', 'balance'];

const WAITING_COLUMNS = ['email', 'name', 'language', 'network', 'confirmed_at'];

@Command({
  name: 'user:list',
  description: 'list all users with their balances, oldest first',
  options: [{ flags: '--waiting', description: 'list the sign-ups that wait for an operator instead' }],
})
export class UserListCommand extends ListCommand {
  @Inject() private readonly users!: UserService;
  @Inject() private readonly signUps!: SignUpService;

  async run(_: string[], options: ListOptions & { waiting?: boolean }): Promise<void> {
    if (options.waiting) {
      const waiting = await this.signUps.waiting(options.limit);
      return printList(WAITING_COLUMNS, waiting.map(signUpDocument), options);
    }
    const users = await this.users.list(options.limit);
    const rows = users.map((user) => ({ ...userDocument(user), balance: formatTrx(user.balanceSun) }));
    printList(COLUMNS, rows, options);
  }
}
