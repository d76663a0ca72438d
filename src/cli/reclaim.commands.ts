import { Command } from 'nest-commander';
import { CheckAdminService } from '../admin/check-admin.service';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument } from './output';

@Command({ name: 'reclaim:run', description: 'one sweep now: takes back what is due' })
export class ReclaimRunCommand extends CliCommand {
  constructor(private readonly admin: CheckAdminService) {
    super();
  }

  async run(_: string[], options: OutputOptions): Promise<void> {
    printDocument({ ...(await this.admin.reclaimDue(commandLineOperator())) }, options);
  }
}
