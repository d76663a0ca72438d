import { Inject } from '@nestjs/common';
import { PoolAdminService } from '../admin/pool-admin.service';
import { DiagnoseKeys } from '../chain/pool/doctor/diagnose-keys';
import { keySourceOf } from '../chain/transactions/signing/key-source';
import type { WalletState } from '../chain/pool/wallets/pool-wallet.entity';
import { WALLET_ROLES, type WalletRole } from '../chain/transactions/signing/wallet-role';
import { oneSpelling } from '../common/text';
import { CliCommand, Command, type CommandOption } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { parseAddress, parseName, parseOneOf, parsePath } from './option-parsers';
import { type OutputOptions, printDocument } from './output';
import { UsageError } from './usage.error';

export interface WalletKeyOptions {
  readonly keyEnv?: string;
  readonly keyFile?: string;
  readonly signer?: string;
  readonly permissionId?: number;
}

/** Where a wallet's key is, as its row names it and never the key itself, and which permission of the account it belongs to. */
export const KEY: readonly CommandOption[] = [
  {
    flags: '--key-env <VAR>',
    description: "name of the environment variable that holds the wallet's private key",
    read: (name) => keySourceOf('env', name),
  },
  {
    flags: '--key-file <PATH>',
    description: "path of the file that holds the wallet's private key",
    read: (path) => keySourceOf('file', parsePath(path)),
  },
  {
    flags: '--signer <ID>',
    description: "id of the wallet's private key in the signer (SIGNER_URL)",
    read: (id) => keySourceOf('signer', id),
  },
  {
    flags: '--permission-id <id>',
    description: 'id of the account permission that the key belongs to; 0 is the owner permission',
    read: readPermissionId,
  },
];

/** The one place that was given for a key, or none. @throws UsageError */
export function givenKeySource({ keyEnv, keyFile, signer }: WalletKeyOptions): string | undefined {
  const given = [keyEnv, keyFile, signer].filter((place) => place !== undefined);
  if (given.length > 1) throw new UsageError(ONE_OF);
  return given[0];
}

const ONE_OF = 'give one of --key-env, --key-file and --signer';

function readPermissionId(text: string): number {
  if (!/^\d$/.test(text)) throw new UsageError(`--permission-id must be 0 to 9, not ${JSON.stringify(text)}`);
  return Number(text);
}

/** Doctor's findings of the wallet, after the result was printed: they change neither the result nor the exit code. */
async function warnOfFindings(doctor: DiagnoseKeys, name: string): Promise<void> {
  for (const { reason, next_step } of await doctor.runFor(name)) {
    process.stderr.write(`Warning: ${name}: ${reason}. ${next_step}\n`);
  }
}

interface PoolAddOptions extends OutputOptions, WalletKeyOptions {
  readonly name: string;
  readonly address: string;
  readonly role: WalletRole;
}

@Command({
  name: 'pool:add',
  description: 'add a wallet to the pool; it can take the next order',
  options: [
    { flags: '--name <name>', read: (name) => parseName('--name', name), required: true },
    { flags: '--address <T…>', read: (address) => parseAddress('--address', address), required: true },
    { flags: '--role <delegate|activate>', read: (text) => parseOneOf('--role', WALLET_ROLES, text), required: true },
    ...KEY,
  ],
})
export class PoolAddCommand extends CliCommand {
  @Inject() private readonly admin!: PoolAdminService;
  @Inject() private readonly doctor!: DiagnoseKeys;

  override check(_: string[], options: WalletKeyOptions): void {
    if (givenKeySource(options) === undefined) throw new UsageError(ONE_OF);
  }

  async run(_: string[], options: PoolAddOptions): Promise<void> {
    const { name, address, role, permissionId = 0 } = options;
    const wallet = { name, address, role, keySource: givenKeySource(options)!, permissionId };
    const added = await this.admin.addWallet(commandLineOperator(), wallet);
    printDocument({ ...added }, options);
    await warnOfFindings(this.doctor, name);
  }
}

@Command({
  name: 'pool:update',
  argument: { name: '<name>' },
  description: "change a wallet's permission or the place of its key, from its next transaction on",
  options: KEY,
})
export class PoolUpdateCommand extends CliCommand {
  @Inject() private readonly admin!: PoolAdminService;
  @Inject() private readonly doctor!: DiagnoseKeys;

  override check(_: string[], options: WalletKeyOptions): void {
    if (givenKeySource(options) === undefined && options.permissionId === undefined)
      throw new UsageError('give --permission-id, --key-env, --key-file or --signer');
  }

  async run([typed]: string[], options: OutputOptions & WalletKeyOptions): Promise<void> {
    const name = oneSpelling(typed!);
    const change = { keySource: givenKeySource(options), permissionId: options.permissionId };
    const updated = await this.admin.updateWallet(commandLineOperator(), name, change);
    printDocument({ ...updated }, options);
    await warnOfFindings(this.doctor, name);
  }
}

@Command({
  name: 'pool:remove',
  argument: { name: '<name>' },
  description: 'remove a wallet from the pool; refused while its energy is delegated or its transactions are under way',
})
export class PoolRemoveCommand extends CliCommand {
  @Inject() private readonly admin!: PoolAdminService;
  @Inject() private readonly doctor!: DiagnoseKeys;

  async run([typed]: string[], options: OutputOptions): Promise<void> {
    const name = oneSpelling(typed!);
    const removed = await this.admin.removeWallet(commandLineOperator(), name);
    printDocument({ ...removed }, options);
    await warnOfFindings(this.doctor, name);
  }
}

abstract class PoolStateCommand extends CliCommand {
  protected abstract readonly state: WalletState;

  @Inject() private readonly admin!: PoolAdminService;

  async run([name]: string[], options: OutputOptions): Promise<void> {
    const changed = await this.admin.setWalletState(commandLineOperator(), oneSpelling(name!), this.state);
    printDocument({ ...changed }, options);
  }
}

@Command({
  name: 'pool:pause',
  argument: { name: '<name>' },
  description: 'stop new orders of a wallet; reclaims continue',
})
export class PoolPauseCommand extends PoolStateCommand {
  protected readonly state = 'paused';
}

interface PoolResumeOptions extends OutputOptions {
  readonly reason?: string;
}

/** What speaks against it is said and kept in the audit log, and does not keep an operator at the command line from it. */
@Command({
  name: 'pool:resume',
  argument: { name: '<name>' },
  description: 'let a wallet take new orders again',
  options: [
    {
      flags: '--reason <text>',
      description: 'why the wallet may take orders although a finding is open; kept in the audit log',
      read: String,
    },
  ],
})
export class PoolResumeCommand extends CliCommand {
  @Inject() private readonly admin!: PoolAdminService;

  async run([typed]: string[], options: PoolResumeOptions): Promise<void> {
    const name = oneSpelling(typed!);
    const resumption = { reason: options.reason ?? null, seenIds: null };
    const { wallet, doubts, quarantined } = await this.admin.resumeWallet(commandLineOperator(), name, resumption);
    printDocument({ ...wallet }, options);
    for (const { kind, subject, reason } of doubts) warn(`${name}: ${kind}, ${subject}: ${reason}`);
    if (quarantined) warn(`${name}: the reconciler had paused this wallet`);
    if (options.reason === undefined && (quarantined || doubts.length > 0))
      warn(`${name}: it takes orders again, but the audit log has no reason: next time give --reason`);
  }
}

function warn(text: string): void {
  process.stderr.write(`Warning: ${text}\n`);
}

@Command({
  name: 'pool:drain',
  argument: { name: '<name>' },
  description: 'stop new orders of a wallet for good; reclaims continue',
})
export class PoolDrainCommand extends PoolStateCommand {
  protected readonly state = 'draining';
}
