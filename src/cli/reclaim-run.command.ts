import { Command } from 'nest-commander';
import { ReclaimSweeper } from '../delegation/reclaim.sweeper';
import { CliCommand } from './cli-command';
import { type OutputOptions, printDocument } from './output';

@Command({ name: 'reclaim:run', description: 'one sweep now: takes back what is due' })
export class ReclaimRunCommand extends CliCommand {
  constructor(private readonly sweeper: ReclaimSweeper) {
    super();
  }

  async run(_: string[], options: OutputOptions): Promise<void> {
    printDocument({ ...(await this.sweeper.sweep()) }, options);
  }
}
