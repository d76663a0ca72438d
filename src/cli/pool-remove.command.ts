import { Command } from 'nest-commander';
import { DiagnoseKeys } from '../chain/doctor/diagnose-keys';
import { OperatePool } from '../admin/pool-admin.service';
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
    private readonly operate: OperatePool,
    private readonly doctor: DiagnoseKeys,
  ) {
    super();
  }

  async run([name]: string[], options: OutputOptions): Promise<void> {
    const removed = await this.operate.removeWallet(commandLineOperator(), name!);
    printDocument({ ...removed }, options);
    await warnOfFindings(this.doctor, name!);
  }
}
