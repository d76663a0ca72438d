import { Inject } from '@nestjs/common';
import { MoneyAdminService } from '../admin/money-admin.service';
import { RefundAdminService } from '../admin/refund-admin.service';
import { BalanceService } from '../balance/balance.service';
import { checkNote, checkReference } from '../balance/movement-values';
import { formatTrx } from '../common/money/sun';
import { UserService } from '../users/user.service';
import { CliCommand, Command, type CommandEffect, type CommandOption } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { OF_USER, parseAddress, parseAmountSun, parseTxid } from './option-parsers';
import { type OutputOptions, printDocument } from './output';
import { warnOfReference } from './reference.warnings';

interface MovementOptions extends OutputOptions {
  readonly user: string;
  readonly amount: bigint;
  readonly note: string;
  readonly reference?: string;
}

const REFERENCE = 'moves money only once, however often you repeat it; made for you if you give none';
const MOVEMENT: readonly CommandOption[] = [
  OF_USER,
  { flags: '--amount <native units>', read: parseAmountSun, required: true },
  { flags: '--note <text>', description: 'kept in the ledger', read: checkNote, required: true },
  { flags: '--reference <text>', description: REFERENCE, read: checkReference },
];

/** What `balance:credit` and `balance:debit` share. */
abstract class BalanceMovementCommand extends CliCommand {
  protected abstract readonly kind: 'credit' | 'debit';

  @Inject() private readonly admin!: MoneyAdminService;

  async run(_: string[], options: MovementOptions): Promise<void> {
    const { user, amount: amountSun, note, reference } = options;
    const movement = { amountSun, note, reference };
    const moved = await this.admin.move(commandLineOperator(), user, this.kind, movement);
    // On stderr: programs read the document, which is the same for a movement and its repetition.
    if (moved.repeated)
      process.stderr.write(`Warning: this reference was already booked at ${moved.at}; no money was moved\n`);
    warnOfReference(moved);
    const made = reference === undefined && this.kind === 'credit' ? { reference: moved.reference } : {};
    printDocument({ balance: formatTrx(moved.balanceSun), ...made }, options);
  }
}

@Command({ name: 'balance:credit', description: "add TRX to a user's balance", options: MOVEMENT })
export class BalanceCreditCommand extends BalanceMovementCommand {
  protected readonly kind = 'credit';
}

@Command({ name: 'balance:debit', description: 'take TRX from what a user can spend', options: MOVEMENT })
export class BalanceDebitCommand extends BalanceMovementCommand {
  protected readonly kind = 'debit';
}

interface RefundOptions extends OutputOptions {
  readonly user: string;
  readonly amount: bigint;
  readonly to: string;
  readonly txid: string;
  readonly note?: string;
}

@Command({
  name: 'balance:refund',
  description:
    "take from a user's balance the TRX that you have sent back by hand, once a final block shows the transfer",
  options: [
    OF_USER,
    { flags: '--amount <native units>', read: parseAmountSun, required: true },
    {
      flags: '--to <address>',
      description: 'the address that you sent the TRX to',
      read: (text) => parseAddress('--to', text),
      required: true,
    },
    {
      flags: '--txid <txid>',
      description: 'the transaction id of the transfer, which moves money only once',
      read: (text) => parseTxid('--txid', text),
      required: true,
    },
    { flags: '--note <text>', description: 'kept in the ledger', read: checkNote },
  ],
})
export class BalanceRefundCommand extends CliCommand {
  @Inject() private readonly admin!: RefundAdminService;

  async run(_: string[], options: RefundOptions): Promise<void> {
    const { user, amount: amountSun, to, txid, note } = options;
    const refunded = await this.admin.refund(commandLineOperator(), user, { amountSun, to, txid, note });
    if (refunded.repeated)
      process.stderr.write(`Warning: this refund was already booked at ${refunded.at}; no money was moved\n`);
    if (refunded.lookedUp)
      process.stderr.write('Warning: the connection to the database broke, but the refund was booked, once\n');
    const { balanceSun, from, block } = refunded;
    printDocument({ balance: formatTrx(balanceSun), txid, from, to, block: block.number, block_id: block.id }, options);
  }
}

@Command({
  name: 'balance:show',
  description: "show a user's balance, what is held of it and what can be spent",
  options: [OF_USER],
})
export class BalanceShowCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  @Inject() private readonly users!: UserService;
  @Inject() private readonly balances!: BalanceService;

  async run(_: string[], options: OutputOptions & { user: string }): Promise<void> {
    const balance = await this.balances.getBalance((await this.users.get(options.user)).id);
    printDocument(
      {
        balance: formatTrx(balance.balanceSun),
        held: formatTrx(balance.heldSun),
        available: formatTrx(balance.availableSun),
        updated_at: balance.updatedAt,
      },
      options,
    );
  }
}
