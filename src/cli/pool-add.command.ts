import { Command, Option } from 'nest-commander';
import { WALLET_ROLES, type WalletRole } from '../chain/pool/pool-wallet.entity';
import { resolve } from 'node:path';
import { OperatePool } from '../operate/operate-pool';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { parseAddress, parseName } from './option-parsers';
import { type OutputOptions, printDocument } from './output';
import { UsageError } from './usage.error';

interface PoolAddOptions extends OutputOptions {
  readonly name: string;
  readonly address: string;
  readonly role: WalletRole;
  readonly keyEnv?: string;
  readonly keyFile?: string;
  readonly permissionId?: number;
}

@Command({ name: 'pool:add', description: 'adds a wallet to the pool; it takes part in the next order' })
export class PoolAddCommand extends CliCommand {
  constructor(private readonly operate: OperatePool) {
    super();
  }

  @Option({ flags: '--name <name>', required: true })
  protected readName(name: string): string {
    return parseName('--name', name);
  }

  @Option({ flags: '--address <T…>', required: true })
  protected readAddress(address: string): string {
    return parseAddress('--address', address);
  }

  @Option({ flags: '--role <delegate|activate>', required: true })
  protected readRole(text: string): WalletRole {
    const role = WALLET_ROLES.find((known) => known === text);
    if (!role) throw new UsageError(`--role must be one of ${WALLET_ROLES.join(', ')}, not ${JSON.stringify(text)}`);
    return role;
  }

  @Option({ flags: '--key-env <VAR>', description: "the environment variable that holds the wallet's private key" })
  protected readKeyEnv(name: string): string {
    return name;
  }

  @Option({ flags: '--key-file <PATH>', description: "the file that holds the wallet's private key" })
  protected readKeyFile(path: string): string {
    return resolve(path);
  }

  @Option({ flags: '--permission-id <id>', description: "the account permission of the key; without it, the owner's" })
  protected readPermissionId(text: string): number {
    if (!/^\d$/.test(text)) throw new UsageError(`--permission-id must be 0 to 9, not ${JSON.stringify(text)}`);
    return Number(text);
  }

  override check(_: string[], { keyEnv, keyFile }: Pick<PoolAddOptions, 'keyEnv' | 'keyFile'>): void {
    if ((keyEnv === undefined) === (keyFile === undefined))
      throw new UsageError('give one of --key-env and --key-file');
  }

  async run(_: string[], options: PoolAddOptions): Promise<void> {
    const { name, address, role, keyEnv, keyFile, permissionId = 0 } = options;
    const keySource = keyEnv === undefined ? `file:${keyFile}` : `env:${keyEnv}`;
    const wallet = { name, address, role, keySource, permissionId };
    const added = await this.operate.addWallet(commandLineOperator(), wallet, warnOperator);
    printDocument({ ...added }, options);
  }
}

function warnOperator(message: string): void {
  process.stderr.write(`Warning: ${message}\n`);
}
