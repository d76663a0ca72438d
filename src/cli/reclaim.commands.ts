import { Inject } from '@nestjs/common';
import { CheckAdminService } from '../admin/check-admin.service';
import { Switches } from '../chain/pool/switches/switches';
import { DatabaseIdentity } from '../database/identity/database-identity';
import { CliCommand, Command } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument } from './output';

@Command({ name: 'reclaim:run', description: 'take back all energy that is due now' })
export class ReclaimRunCommand extends CliCommand {
  @Inject() private readonly admin!: CheckAdminService;
  @Inject() private readonly switches!: Switches;
  @Inject() private readonly identity!: DatabaseIdentity;

  async run(_: string[], options: OutputOptions): Promise<void> {
    const sweep = await this.admin.reclaimDue(commandLineOperator());
    if (sweep.failed > 0) process.exitCode = 1;
    printDocument({ ...sweep }, options);
    const { paused, reason } = await this.switches.read('reclaims');
    if (paused) process.stderr.write(`Warning: reclaims are paused (reclaims:resume)${reason ? `: ${reason}` : ''}\n`);
    if ((await this.identity.findDifference()) !== null)
      process.stderr.write(
        'Warning: this database was restored or copied; the service takes nothing back before restore:confirm\n',
      );
  }
}
