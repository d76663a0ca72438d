import { Inject } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { DepositAdminService } from '../admin/deposit-admin.service';
import { formatTrx } from '../common/money/sun';
import { DepositLookup } from '../deposits/deposit-lookup';
import { DepositRates } from '../deposits/deposit-rates';
import { ASSETS, DEPOSIT_STATES, type DepositState } from '../deposits/deposit-states';
import type { DepositView } from '../deposits/deposit-view';
import { UserService } from '../users/user.service';
import { checkEmail } from '../users/user.validation';
import { CliCommand, Command, type CommandEffect } from './cli-command';
import { ListCommand, type ListOptions } from './list-command';
import { BY_ID, OF_USER, parseId, parseOneOf } from './option-parsers';
import { type Document, type OutputOptions, printDocument, printList } from './output';

const COLUMNS = [
  'id',
  'user',
  'asset',
  'amount',
  'credited',
  'rate',
  'state',
  'txid',
  'index',
  'address',
  'seen_at',
] as const;

const orNull = (sun: bigint | null) => (sun === null ? null : formatTrx(sun));

export function depositDocument(view: DepositView): Document {
  const { id, user, txid, index, address, asset, amount, credited_sun: credited, rate_sun: rate, state } = view;
  const { confirmations, seen_at, credited_at, waits_for, note, block_number: block } = view;
  return {
    id,
    user,
    txid,
    index,
    address,
    asset,
    amount: formatTrx(amount),
    credited: orNull(credited),
    rate: orNull(rate),
    state,
    confirmations,
    seen_at,
    credited_at,
    waits_for,
    note,
    block: block === null ? null : Number(block),
  };
}

@Command({
  name: 'deposit:address',
  description: "show a customer's deposit address with the minimum and the rate; the first call makes the address",
  options: [OF_USER],
})
export class DepositAddressCommand extends CliCommand {
  @Inject() private readonly users!: UserService;
  @Inject() private readonly admin!: DepositAdminService;
  @Inject() private readonly rates!: DepositRates;
  @Inject(CONFIGURATION) private readonly configuration!: Configuration;

  async run(_: string[], options: OutputOptions & { user: string }): Promise<void> {
    const address = await this.admin.address((await this.users.get(options.user)).id);
    const { leastSun, leastUsdt } = this.configuration.deposits!;
    printDocument(
      {
        address,
        minimum: formatTrx(leastSun),
        minimum_usdt: formatTrx(leastUsdt),
        trx_per_usdt: orNull(await this.rates.sunNow()),
        assets: ASSETS,
      },
      options,
    );
  }
}

interface DepositListOptions extends ListOptions {
  readonly user?: string;
  readonly state?: DepositState;
}

@Command({
  name: 'deposit:list',
  description: 'list deposits, newest first',
  options: [
    { flags: '--user <email>', read: checkEmail },
    { flags: '--state <state>', read: (text) => parseOneOf('--state', DEPOSIT_STATES, text) },
  ],
})
export class DepositListCommand extends ListCommand {
  @Inject() private readonly users!: UserService;
  @Inject() private readonly lookup!: DepositLookup;

  async run(_: string[], { user, state, limit, json }: DepositListOptions): Promise<void> {
    const userId = user === undefined ? null : (await this.users.get(user)).id;
    const views = await this.lookup.list({ userId, state, limit });
    printList(COLUMNS, views.map(depositDocument), { json });
  }
}

@Command({ name: 'deposit:show', argument: BY_ID, description: 'show a deposit' })
export class DepositShowCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  @Inject() private readonly lookup!: DepositLookup;

  async run([text]: string[], options: OutputOptions): Promise<void> {
    printDocument(depositDocument(await this.lookup.get(parseId(text!))), options);
  }
}
