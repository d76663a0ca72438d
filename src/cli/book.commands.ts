import { Inject } from '@nestjs/common';
import { formatTrx } from '../common/money/sun';
import { transactionsLiteral } from '../billing/energy-amount';
import { LedgerExport } from '../reporting/books/ledger-export';
import { TrialBalance, type TrialBalanceView } from '../reporting/books/trial-balance';
import type { MomentRange } from '../reporting/reports/utc-days';
import { CliCommand, Command, type CommandEffect, type CommandOption } from './cli-command';
import { parseBookEdge, parseOneOf } from './option-parsers';
import { type Document, type OutputOptions, printChunks, printDocument } from './output';
import { UsageError } from './usage.error';

interface RangeOptions extends OutputOptions {
  readonly from: MomentRange;
  readonly to: MomentRange;
}

const RANGE: readonly CommandOption[] = [
  {
    flags: '--from <day>',
    description: 'the first day (UTC), or a moment such as 2026-11-01T12:00:00Z; the range includes it',
    read: (text) => parseBookEdge('--from', text),
    required: true,
  },
  {
    flags: '--to <day>',
    description: 'the last day (UTC), which the range includes, or a moment, which it does not include',
    read: (text) => parseBookEdge('--to', text),
    required: true,
  },
];

const FORMATS = ['csv', 'json'] as const;

/** What commands of the books share: they read, and a range that ends before it begins is wrong usage. */
abstract class BookCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  override check(args: string[], options: RangeOptions): void {
    super.check(args, options);
    if (options.from.from >= options.to.to) throw new UsageError('--to must be after --from');
  }
}

function rangeOf({ from, to }: RangeOptions): MomentRange {
  return { from: from.from, to: to.to };
}

@Command({
  name: 'ledger:export',
  description: 'write every movement of every account, in order of time',
  options: [
    ...RANGE,
    {
      flags: '--format <format>',
      description: 'csv, or json (one array, with a movement on each line)',
      read: (text) => parseOneOf('--format', FORMATS, text),
    },
  ],
})
export class LedgerExportCommand extends BookCommand {
  @Inject() private readonly ledger!: LedgerExport;

  override check(args: string[], options: RangeOptions & { format?: (typeof FORMATS)[number] }): void {
    super.check(args, options);
    if (options.json && options.format === 'csv')
      throw new UsageError('--json means --format json: give only one of them');
  }

  async run(_: string[], options: RangeOptions & { format?: (typeof FORMATS)[number] }): Promise<void> {
    const isJson = options.json || options.format === 'json';
    const range = rangeOf(options);
    await printChunks(isJson ? this.ledger.json(range) : this.ledger.csv(range, true));
  }
}

@Command({
  name: 'books:trial-balance',
  description:
    'show what all accounts held before a range, what moved in it, and what they held after it; exit with 1 if that does not add up',
  options: RANGE,
})
export class TrialBalanceCommand extends BookCommand {
  @Inject() private readonly trialBalance!: TrialBalance;

  async run(_: string[], options: RangeOptions): Promise<void> {
    const view = await this.trialBalance.read(rangeOf(options));
    if (view.fault !== null) {
      process.exitCode = 1;
      process.stderr.write(`The books do not add up: ${view.fault}. Run audit, which names the account\n`);
    }
    printDocument(documentOf(view), options);
  }
}

const transactions = (energy: bigint) => JSON.rawJSON(transactionsLiteral(energy));

function documentOf({
  range,
  openingSun,
  movementsSun,
  closingSun,
  holdsSun,
  accounts,
  quota,
}: TrialBalanceView): Document {
  const movements = Object.entries(movementsSun).map(([kind, sun]) => [kind, formatTrx(sun)] as const);
  const { sold, used, expired } = quota;
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    opening: formatTrx(openingSun),
    movements: Object.fromEntries(movements),
    closing: formatTrx(closingSun),
    holds: formatTrx(holdsSun),
    accounts: Number(accounts),
    quota: {
      sold: transactions(sold.energy),
      given: transactions(quota.givenEnergy),
      sold_for: formatTrx(sold.priceSun),
      from_balance: formatTrx(sold.fromBalanceSun),
      used: transactions(used),
      expired: transactions(expired),
    },
  };
}
