import { Inject } from '@nestjs/common';
import { StakeAdminService } from '../admin/stake-admin.service';
import { describeError } from '../common/errors/describe-error';
import { oneSpelling } from '../common/text';
import { DAY_MS } from '../stake-care/care-periods';
import type { CareRow } from '../stake-care/care.repository';
import { DiagnoseCareKeys } from '../stake-care/diagnose-care-keys';
import type { VoteShare } from '../stake-care/stake-operation';
import { type ShownStake, StakeOverview } from '../stake-care/stake-overview';
import { readVotes } from '../stake-care/vote-shares';
import { CliCommand, Command, type CommandEffect } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { parseOneOf, parseTrxSun } from './option-parsers';
import { type Document, type OutputOptions, printDocument, printLine, printList } from './output';
import { givenKeySource, KEY, type WalletKeyOptions } from './pool.commands';
import { UsageError } from './usage.error';

const SWITCH = ['on', 'off'] as const;

function careDocument(care: CareRow): Document {
  const { votes, claims, restakes, keep_liquid_sun: keepLiquidSun, permission_id } = care;
  return {
    vote: votes.map(({ witness, weight }) => ({ witness, weight })),
    claim: claims,
    restake: restakes,
    keep_liquid_sun: keepLiquidSun.toString(),
    permission_id,
  };
}

const COLUMNS = [
  'name',
  'address',
  'staked_energy_sun',
  'staked_bandwidth_sun',
  'lent_sun',
  'liquid_sun',
  'power',
  'votes',
  'idle_votes',
  'reward_sun',
  'last_claim_at',
  'claim_due_at',
  'unfreezing',
  'unfreeze_slots_left',
  'yield_percent',
  'orders_yield_percent',
  'care',
] as const;

function stakeDocument(shown: ShownStake): Document {
  const { wallet, view, idleVotes, slotsLeft, yieldPercent, ordersYieldPercent, witnessYields, care } = shown;
  const { account, votes, unfreezing, lastClaimMs } = view;
  const { energySun, bandwidthSun, lentEnergySun, lentBandwidthSun } = account;
  return {
    name: wallet.name,
    address: wallet.address,
    staked_energy_sun: (energySun + lentEnergySun).toString(),
    staked_bandwidth_sun: (bandwidthSun + lentBandwidthSun).toString(),
    lent_sun: (lentEnergySun + lentBandwidthSun).toString(),
    liquid_sun: account.balanceSun.toString(),
    power: Number(view.power),
    votes: [...votes].map(([witness, count]) => ({
      witness,
      votes: Number(count),
      yield_percent: witnessYields.get(witness) ?? null,
    })),
    idle_votes: Number(idleVotes),
    reward_sun: view.rewardSun.toString(),
    last_claim_at: lastClaimMs > 0 ? new Date(lastClaimMs).toISOString() : null,
    claim_due_at: lastClaimMs > 0 ? new Date(lastClaimMs + DAY_MS).toISOString() : null,
    unfreezing: unfreezing.map(({ sun, availableMs }) => ({
      sun: sun.toString(),
      available_at: new Date(availableMs).toISOString(),
    })),
    unfreeze_slots_left: Number(slotsLeft),
    yield_percent: yieldPercent,
    orders_yield_percent: ordersYieldPercent,
    care: care && careDocument(care),
  };
}

@Command({
  name: 'stake:show',
  argument: { name: '[name]' },
  description:
    'show what the wallets that delegate have staked, how they vote, what they earn and what is being unfrozen',
})
export class StakeShowCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  @Inject() private readonly overview!: StakeOverview;

  async run([typed]: string[], options: OutputOptions): Promise<void> {
    const { read, unread } = await this.overview.showAll(typed === undefined ? undefined : oneSpelling(typed));
    printList(COLUMNS, read.map(stakeDocument), options);
    for (const { wallet, error } of unread)
      process.stderr.write(`${wallet.name} cannot be read: ${describeError(error)}\n`);
    if (unread.length > 0) process.exitCode = 1;
  }
}

interface StakeCareOptions extends OutputOptions, WalletKeyOptions {
  readonly vote?: VoteShare[];
  readonly claim?: (typeof SWITCH)[number];
  readonly restake?: (typeof SWITCH)[number];
  readonly keepLiquid?: bigint;
  readonly off?: boolean;
}

@Command({
  name: 'stake:care',
  argument: { name: '<name>' },
  description:
    'set up stake care: the service votes with the stake of a wallet and claims its rewards, with a key that has a permission of its own',
  options: [
    ...KEY,
    {
      flags: '--vote <T…=weight,…>',
      description: 'the witnesses that share all votes, with their weights',
      read: readVotes,
    },
    {
      flags: '--claim <on|off>',
      description: 'claim rewards once a day; default: on',
      read: (text) => parseOneOf('--claim', SWITCH, text),
    },
    {
      flags: '--restake <on|off>',
      description: 'after each claim, freeze the liquid TRX above --keep-liquid; default: off',
      read: (text) => parseOneOf('--restake', SWITCH, text),
    },
    {
      flags: '--keep-liquid <native units>',
      description: 'never freeze this many TRX; default: 1000',
      read: (text) => parseTrxSun('--keep-liquid', text),
    },
    { flags: '--off', description: 'end stake care, and forget where its key is stored' },
  ],
})
export class StakeCareCommand extends CliCommand {
  @Inject() private readonly admin!: StakeAdminService;
  @Inject() private readonly doctor!: DiagnoseCareKeys;

  override check(_: string[], options: StakeCareOptions): void {
    const { permissionId, vote, claim, restake, keepLiquid, off } = options;
    const hasKey = givenKeySource(options) !== undefined;
    const changes = [vote, claim, restake, keepLiquid, permissionId].some((value) => value !== undefined) || hasKey;
    if (off && changes) throw new UsageError('--off allows no other option');
    if (!off && !changes) throw new UsageError('give what to change, or --off');
    if (hasKey && permissionId === undefined) throw new UsageError('a key needs --permission-id');
  }

  async run([typed]: string[], options: StakeCareOptions): Promise<void> {
    const name = oneSpelling(typed!);
    if (options.off) {
      await this.admin.endCare(commandLineOperator(), name);
      return options.json ? printLine('null') : printDocument({ care: 'off' }, options);
    }
    const { permissionId, vote: votes, claim, restake, keepLiquid: keepLiquidSun } = options;
    const care = await this.admin.setCare(commandLineOperator(), name, {
      keySource: givenKeySource(options),
      permissionId,
      votes,
      claims: claim && claim === 'on',
      restakes: restake && restake === 'on',
      keepLiquidSun,
    });
    printDocument(careDocument(care), options);
    for (const { reason, next_step } of await this.doctor.runFor(name))
      process.stderr.write(`Warning: stake care of ${name}: ${reason}. ${next_step}\n`);
  }
}
