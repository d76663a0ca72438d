import { Inject } from '@nestjs/common';
import { DepositAdminService } from '../admin/deposit-admin.service';
import { checkNote } from '../balance/movement-values';
import { formatTrx, parseTrx } from '../common/money/sun';
import { DepositRates, type Rate } from '../deposits/deposit-rates';
import { type Asset, ASSETS } from '../deposits/deposit-states';
import { UserService } from '../users/user.service';
import { checkEmail } from '../users/user.validation';
import { CliCommand, Command } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { depositDocument } from './deposit.commands';
import { BY_ID, parseAddress, parseAmountSun, parseId, parseOneOf } from './option-parsers';
import { type OutputOptions, printDocument } from './output';
import { UsageError } from './usage.error';

const NOTE = { flags: '--note <text>', description: 'kept in the ledger', read: checkNote, required: true };
const OF_ASSET = {
  flags: '--asset <asset>',
  description: ASSETS.join(' or '),
  read: (text: string) => parseOneOf('--asset', ASSETS, text),
  required: true,
};

interface RateOptions extends OutputOptions {
  readonly trxPerUsdt?: bigint;
  readonly off?: boolean;
  readonly creditWaiting?: boolean;
}

@Command({
  name: 'deposit:rate',
  description: 'show or set the rate: how many TRX 1 USDT counts',
  options: [
    { flags: '--trx-per-usdt <rate>', description: 'a decimal, such as 3.15', read: readRate },
    { flags: '--off', description: 'credit no USDT until you set another rate; deposits wait' },
    { flags: '--credit-waiting', description: 'also credit the deposits that have waited for a rate, at this one' },
  ],
})
export class DepositRateCommand extends CliCommand {
  @Inject() private readonly admin!: DepositAdminService;
  @Inject() private readonly rates!: DepositRates;

  override check(_: string[], { trxPerUsdt, off, creditWaiting }: RateOptions): void {
    if (off && trxPerUsdt !== undefined) throw new UsageError('give one of --trx-per-usdt and --off');
    if (creditWaiting && off) throw new UsageError('--credit-waiting needs a rate');
  }

  async run(_: string[], options: RateOptions): Promise<void> {
    const { trxPerUsdt, off, creditWaiting } = options;
    const operator = commandLineOperator();
    const isChanged = off || trxPerUsdt !== undefined;
    const rate = isChanged ? await this.admin.setRate(operator, trxPerUsdt ?? null) : await this.rates.newest();
    const counts = creditWaiting ? await this.admin.creditWaiting(operator) : null;
    printDocument({ ...rateDocument(rate), ...counts }, options);
    if (counts && counts.failed > 0) process.exitCode = 1;
  }
}

function rateDocument(rate: Rate | null) {
  const sun = rate?.sunPerUsdt ?? null;
  return { trx_per_usdt: sun === null ? null : formatTrx(sun), since: rate?.since ?? null };
}

function readRate(text: string): bigint {
  const sun = parseTrx(text);
  if (sun !== null && sun > 0n) return sun;
  throw new UsageError(`--trx-per-usdt must be a decimal above 0 with at most six places, not ${JSON.stringify(text)}`);
}

@Command({
  name: 'deposit:credit',
  argument: BY_ID,
  description: 'credit a deposit that waits or was too small; USDT at the present rate',
  options: [NOTE],
})
export class DepositCreditCommand extends CliCommand {
  @Inject() private readonly admin!: DepositAdminService;

  async run([text]: string[], options: OutputOptions & { note: string }): Promise<void> {
    const view = await this.admin.credit(commandLineOperator(), parseId(text!), options.note);
    printDocument(depositDocument(view), options);
  }
}

interface UnexplainedOptions extends OutputOptions {
  readonly address: string;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly note: string;
  readonly user?: string;
}

@Command({
  name: 'deposit:credit-unexplained',
  description:
    'credit what an address holds and no deposit explains: a contract paid it, or a restored database does not know it',
  options: [
    { flags: '--address <T…>', read: (text) => parseAddress('--address', text), required: true },
    OF_ASSET,
    { flags: '--amount <units>', description: 'amount of the asset', read: parseAmountSun, required: true },
    NOTE,
    { flags: '--user <email>', description: 'whose address it is, where the database does not know', read: checkEmail },
  ],
})
export class DepositCreditUnexplainedCommand extends CliCommand {
  @Inject() private readonly admin!: DepositAdminService;
  @Inject() private readonly users!: UserService;

  async run(_: string[], options: UnexplainedOptions): Promise<void> {
    const { address, asset, amount, note, user: email } = options;
    const user = email === undefined ? undefined : await this.users.get(email);
    const asked = { address, asset, amount, note, user };
    const view = await this.admin.creditUnexplained(commandLineOperator(), asked);
    printDocument(depositDocument(view), options);
  }
}
