import { Inject } from '@nestjs/common';
import { StakeAdminService } from '../admin/stake-admin.service';
import type { Operator } from '../audit-log/audit-log';
import { oneSpelling } from '../common/text';
import { AwaitOperation } from '../stake-care/await-operation';
import { OperationRepository } from '../stake-care/operation.repository';
import { type OperationRow, RESOURCE_NAMES, type ResourceName } from '../stake-care/stake-operation';
import { CliCommand, Command, type CommandOption } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { parseAmountSun, parseOneOf } from './option-parsers';
import { type Document, type OutputOptions, printDocument, printList } from './output';

interface OperationOptions extends OutputOptions {
  /** False: `--no-wait`. */
  readonly wait?: boolean;
}

interface AmountOptions extends OperationOptions {
  readonly amount: bigint;
  readonly resource?: ResourceName;
}

const NAME = { name: '<name>' };
const NO_WAIT: CommandOption = {
  flags: '--no-wait',
  description: 'do not wait until the transaction is in a block',
  read: () => false,
};
const OF_AMOUNT: readonly CommandOption[] = [
  { flags: '--amount <native units>', read: parseAmountSun, required: true },
  {
    flags: '--resource <energy|bandwidth>',
    description: 'default: energy',
    read: (text) => parseOneOf('--resource', RESOURCE_NAMES, text),
  },
  NO_WAIT,
];

function operationDocument({ id, wallet, kind, amount_sun: amountSun, state, tx_id: txid }: OperationRow): Document {
  return { id, wallet, kind, amount_sun: amountSun?.toString() ?? null, state, txid };
}

/** Waits for the block, and ends with exit code 1 where there will be none. */
abstract class OperationCommand<Options extends OperationOptions = OperationOptions> extends CliCommand {
  @Inject() protected readonly admin!: StakeAdminService;
  @Inject() private readonly waiting!: AwaitOperation;

  protected abstract begin(operator: Operator, name: string, options: Options): Promise<OperationRow>;

  /** Facts that only some of them have. */
  protected more(): Document {
    return {};
  }

  async run([typed]: string[], options: Options): Promise<void> {
    const begun = await this.begin(commandLineOperator(), oneSpelling(typed!), options);
    const waits = options.wait !== false;
    const operation = waits ? await this.waiting.block(begun.id) : begun;
    printDocument({ ...operationDocument(operation), ...this.more() }, options);
    const { state, error, wallet, kind } = operation;
    if (state === 'included' || state === 'final') return;
    if (state === 'refused' || state === 'failed') fail(`the ${kind} of ${wallet} is ${state}: ${error}`);
    else if (waits)
      fail(`no running instance has seen the ${kind} of ${wallet} in a block yet: check again later with stake:list`);
  }
}

function fail(reason: string): void {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}

@Command({
  name: 'stake:vote',
  argument: NAME,
  description: 'vote now with all voting power, by the weights of stake care',
  options: [NO_WAIT],
})
export class StakeVoteCommand extends OperationCommand {
  protected begin(operator: Operator, name: string): Promise<OperationRow> {
    return this.admin.vote(operator, name);
  }
}

@Command({
  name: 'stake:claim',
  argument: NAME,
  description: 'claim the rewards now; the network allows one claim in 24 hours',
  options: [NO_WAIT],
})
export class StakeClaimCommand extends OperationCommand {
  protected begin(operator: Operator, name: string): Promise<OperationRow> {
    return this.admin.claim(operator, name);
  }
}

@Command({ name: 'stake:freeze', argument: NAME, description: 'stake liquid TRX of the wallet', options: OF_AMOUNT })
export class StakeFreezeCommand extends OperationCommand<AmountOptions> {
  protected begin(operator: Operator, name: string, { amount, resource = 'energy' }: AmountOptions) {
    return this.admin.freeze(operator, name, amount, resource);
  }
}

@Command({
  name: 'stake:unfreeze',
  argument: NAME,
  description: 'unfreeze stake that is neither delegated nor reserved for orders; its TRX come after 14 days',
  options: OF_AMOUNT,
})
export class StakeUnfreezeCommand extends OperationCommand<AmountOptions> {
  private planned: Document = {};

  protected async begin(operator: Operator, name: string, { amount, resource = 'energy' }: AmountOptions) {
    const planned = await this.admin.unfreeze(operator, name, amount, resource);
    const { operation, slotsLeft, availableAt, endsVotes } = planned;
    this.planned = {
      unfreeze_slots_left: Number(slotsLeft),
      available_at: availableAt.toISOString(),
      ends_votes: endsVotes,
    };
    if (endsVotes)
      process.stderr.write(
        `Warning: with its first unfreezing ${name} loses all votes, and its remaining stake gives none (chain parameter 51)\n`,
      );
    return operation;
  }

  protected override more(): Document {
    return this.planned;
  }
}

@Command({
  name: 'stake:withdraw',
  argument: NAME,
  description: 'withdraw the TRX whose 14 days of unfreezing are over',
  options: [NO_WAIT],
})
export class StakeWithdrawCommand extends OperationCommand {
  protected begin(operator: Operator, name: string): Promise<OperationRow> {
    return this.admin.withdraw(operator, name);
  }
}

@Command({
  name: 'stake:cancel-unfreeze',
  argument: NAME,
  description: 'cancel all unfreezing: stake those TRX again',
  options: [NO_WAIT],
})
export class StakeCancelUnfreezeCommand extends OperationCommand {
  protected begin(operator: Operator, name: string): Promise<OperationRow> {
    return this.admin.cancelUnfreeze(operator, name);
  }
}

const COLUMNS = [
  'id',
  'wallet',
  'kind',
  'amount_sun',
  'state',
  'txid',
  'requested_by',
  'created_at',
  'final_at',
  'error',
] as const;

@Command({
  name: 'stake:list',
  argument: { name: '[name]' },
  description: 'list the operations on the stake of a wallet, or of all wallets, newest first',
})
export class StakeListCommand extends ListCommand {
  @Inject() private readonly operations!: OperationRepository;

  async run([typed]: string[], { limit, ...options }: ListOptions): Promise<void> {
    const name = typed === undefined ? null : oneSpelling(typed);
    const rows = await this.operations.list(name, limit ?? null);
    printList(
      COLUMNS,
      rows.map((row) => ({
        ...operationDocument(row),
        requested_by: row.requested_by,
        created_at: row.created_at.toISOString(),
        final_at: row.final_at?.toISOString() ?? null,
        error: row.error,
      })),
      options,
    );
  }
}
