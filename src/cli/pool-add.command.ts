import { Command, Option } from 'nest-commander';
import { PoolAdminService } from '../admin/pool-admin.service';
import { DiagnoseKeys } from '../chain/doctor/diagnose-keys';
import { WALLET_ROLES, type WalletRole } from '../chain/wallets/pool-wallet.entity';
import { commandLineOperator } from './command-line.operator';
import { parseAddress, parseName } from './option-parsers';
import { type OutputOptions, printDocument } from './output';
import { UsageError } from './usage.error';
import { keySourceOf, warnOfFindings, WalletKeyCommand, type WalletKeyOptions } from './wallet-key.options';

interface PoolAddOptions extends OutputOptions, WalletKeyOptions {
  readonly name: string;
  readonly address: string;
  readonly role: WalletRole;
}

@Command({ name: 'pool:add', description: 'adds a wallet to the pool; it takes part in the next order' })
export class PoolAddCommand extends WalletKeyCommand {
  constructor(
    private readonly admin: PoolAdminService,
    private readonly doctor: DiagnoseKeys,
  ) {
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

  override check(_: string[], { keyEnv, keyFile }: WalletKeyOptions): void {
    if ((keyEnv === undefined) === (keyFile === undefined))
      throw new UsageError('give one of --key-env and --key-file');
  }

  async run(_: string[], options: PoolAddOptions): Promise<void> {
    const { name, address, role, permissionId = 0 } = options;
    const wallet = { name, address, role, keySource: keySourceOf(options)!, permissionId };
    const added = await this.admin.addWallet(commandLineOperator(), wallet);
    printDocument({ ...added }, options);
    await warnOfFindings(this.doctor, name);
  }
}
