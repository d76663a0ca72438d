import { Command } from 'nest-commander';
import { PoolAdminService } from '../admin/pool-admin.service';
import { DiagnoseKeys } from '../chain/doctor/diagnose-keys';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument } from './output';
import { UsageError } from './usage.error';
import { keySourceOf, warnOfFindings, WalletKeyCommand, type WalletKeyOptions } from './wallet-key.options';

@Command({
  name: 'pool:update',
  arguments: '<name>',
  description: "changes a wallet's permission or where its key is, from its next transaction on",
})
export class PoolUpdateCommand extends WalletKeyCommand {
  constructor(
    private readonly admin: PoolAdminService,
    private readonly doctor: DiagnoseKeys,
  ) {
    super();
  }

  override check(_: string[], { keyEnv, keyFile, permissionId }: WalletKeyOptions): void {
    if (keyEnv !== undefined && keyFile !== undefined) throw new UsageError('give one of --key-env and --key-file');
    if (keyEnv === undefined && keyFile === undefined && permissionId === undefined)
      throw new UsageError('give --permission-id, --key-env or --key-file');
  }

  async run([name]: string[], options: OutputOptions & WalletKeyOptions): Promise<void> {
    const change = { keySource: keySourceOf(options), permissionId: options.permissionId };
    const updated = await this.admin.updateWallet(commandLineOperator(), name!, change);
    printDocument({ ...updated }, options);
    await warnOfFindings(this.doctor, name!);
  }
}
