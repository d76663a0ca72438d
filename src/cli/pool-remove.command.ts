import { Command } from 'nest-commander';
import { PoolAdminService } from '../admin/pool-admin.service';
import { DiagnoseKeys } from '../chain/doctor/diagnose-keys';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument } from './output';
import { warnOfFindings } from './wallet-key.options';

@Command({
  name: 'pool:remove',
  arguments: '<name>',
  description: 'takes a wallet out of the pool; refused while anything of it is out',
})
export class PoolRemoveCommand extends CliCommand {
  constructor(
    private readonly admin: PoolAdminService,
    private readonly doctor: DiagnoseKeys,
  ) {
    super();
  }

  async run([name]: string[], options: OutputOptions): Promise<void> {
    const removed = await this.admin.removeWallet(commandLineOperator(), name!);
    printDocument({ ...removed }, options);
    await warnOfFindings(this.doctor, name!);
  }
}
