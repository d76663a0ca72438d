import { Inject } from '@nestjs/common';
import { USDT_ON_MAINNET } from '../../config/load-configuration';
import { SweepAdminService } from '../admin/sweep-admin.service';
import { formatTrx } from '../common/money/sun';
import { streamBeside } from '../common/standard-streams';
import { readSecretFile } from '../deposits/sweeps/signing/secret-file';
import { signSweeps } from '../deposits/sweeps/signing/sign-sweeps';
import { SweepKeys } from '../deposits/sweeps/signing/sweep-keys';
import { readSignedSweeps, readSweepPlan, requireNoFile, sumsOf, writeSweepFile } from '../deposits/sweeps/sweep-file';
import { Sweeps } from '../deposits/sweeps/sweeps';
import { CliCommand, Command, type CommandEffect } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { ListCommand, type ListOptions } from './list-command';
import { parseAddress, parseFileOrStream, parsePath, parseTrxSun } from './option-parsers';
import { type OutputOptions, printDocument, printList } from './output';
import { UsageError } from './usage.error';

@Command({
  name: 'deposit:sweep-plan',
  argument: { name: '<file>' },
  description:
    'write the transactions that move the TRX and USDT of deposit addresses to DEPOSIT_SWEEP_TO, for you to sign elsewhere',
  options: [
    {
      flags: '--min <TRX>',
      description: 'leave out addresses with less; default: DEPOSIT_MIN',
      read: (text) => parseTrxSun('--min', text),
    },
    {
      flags: '--min-usdt <USDT>',
      description: 'the same of USDT; default: DEPOSIT_MIN_USDT',
      read: (text) => parseTrxSun('--min-usdt', text),
    },
  ],
})
export class DepositSweepPlanCommand extends CliCommand {
  @Inject() private readonly admin!: SweepAdminService;

  async run([name]: string[], options: OutputOptions & { min?: bigint; minUsdt?: bigint }): Promise<void> {
    const least = { TRX: options.min, USDT: options.minUsdt };
    const file = parseFileOrStream(name!);
    const plan = await this.admin.plan(commandLineOperator(), file, least);
    printDocument(
      {
        to: plan.to,
        sweeps: plan.sweeps,
        trx: formatTrx(plan.sun),
        usdt: formatTrx(plan.units),
        bandwidth: plan.bandwidth,
        energy: plan.energy,
        expires_at: plan.expiresAt.toISOString(),
        too_small: plan.tooSmall,
        under_way: plan.underWay,
        unread: plan.unread,
        disputed: plan.disputed,
        other_accounts: plan.otherAccounts,
      },
      options,
      streamBeside(file),
    );
  }
}

interface SignOptions extends OutputOptions {
  readonly to: string;
  readonly usdtContract?: string;
  readonly mnemonicFile?: string;
  readonly xprvFile?: string;
}

@Command({
  name: 'deposit:sweep-sign',
  argument: { name: '<file> <out>' },
  description: 'sign a plan on a machine without network, database and node; needs no settings of the service',
  options: [
    {
      flags: '--to <T…>',
      description: 'the address of the treasury, as you know it: the command signs nothing that pays another address',
      read: (text) => parseAddress('--to', text),
      required: true,
    },
    {
      flags: '--usdt-contract <T…>',
      description: 'the contract of USDT, on another network than the main one',
      read: (text) => parseAddress('--usdt-contract', text),
    },
    {
      flags: '--mnemonic-file <file>',
      description: 'file with the English words of the wallet, without a passphrase',
      read: (file) => file,
    },
    {
      flags: '--xprv-file <file>',
      description: 'file with the extended private key of the account or of the root',
      read: (file) => file,
    },
  ],
})
export class DepositSweepSignCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'offline';

  override check(_: string[], { mnemonicFile, xprvFile }: SignOptions): void {
    if ((mnemonicFile === undefined) === (xprvFile === undefined))
      throw new UsageError('give one of --mnemonic-file and --xprv-file');
  }

  async run([file, out]: string[], options: SignOptions): Promise<void> {
    const { to, usdtContract: usdt = USDT_ON_MAINNET, mnemonicFile, xprvFile } = options;
    const target = parseFileOrStream(out!);
    await requireNoFile(target);
    const entries = await readSweepPlan(parseFileOrStream(file!));
    const keys =
      mnemonicFile === undefined
        ? SweepKeys.ofExtendedKey(readSecretFile(parsePath(xprvFile!)))
        : SweepKeys.ofMnemonic(readSecretFile(parsePath(mnemonicFile)));
    const signed = signSweeps(entries, { to, usdt, keys, nowMs: Date.now() });
    await writeSweepFile(target, 'signed', signed);
    printDocument({ to, sweeps: signed.length, ...sumsOf(signed) }, options, streamBeside(target));
  }
}

@Command({
  name: 'deposit:sweep-send',
  argument: { name: '<file>' },
  description:
    'send signed sweeps, each once; the service goes on with those that wait. You can give the same file again',
})
export class DepositSweepSendCommand extends CliCommand {
  @Inject() private readonly admin!: SweepAdminService;
  @Inject() private readonly sweeps!: Sweeps;

  async run([file]: string[], options: OutputOptions): Promise<void> {
    const entries = await readSignedSweeps(parseFileOrStream(file!));
    await this.admin.send(commandLineOperator(), entries);
    const states = await this.sweeps.states(entries.map(({ id }) => id));
    printDocument({ sweeps: entries.length, ...sumsOf(entries), states }, options);
  }
}

const COLUMNS = ['id', 'address', 'asset', 'amount', 'state', 'txid', 'error'] as const;

@Command({ name: 'deposit:sweeps', description: 'list sweeps and their states, the newest plan first' })
export class DepositSweepsCommand extends ListCommand {
  @Inject() private readonly sweeps!: Sweeps;

  async run(_: string[], { limit, json }: ListOptions): Promise<void> {
    const rows = (await this.sweeps.list(limit ?? null)).map(({ tx_id: txid, amount, ...sweep }) => ({
      ...sweep,
      amount: formatTrx(amount),
      txid,
    }));
    printList(COLUMNS, rows, { json });
  }
}
