import { Inject } from '@nestjs/common';
import { NoticeAdminService } from '../admin/notice-admin.service';
import { CliCommand, Command } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printList } from './output';

@Command({
  name: 'notify:test',
  description: 'send a test notice on every channel that is set up, and show which channels accepted it',
})
export class NotifyTestCommand extends CliCommand {
  @Inject() private readonly admin!: NoticeAdminService;

  async run(_: string[], options: OutputOptions): Promise<void> {
    const results = await this.admin.testAll(commandLineOperator());
    if (results.length === 0 || results.some(({ ok }) => !ok)) process.exitCode = 1;
    if (results.length === 0) process.stderr.write('No channel is set up; nothing was sent.\n');
    printList(['channel', 'ok', 'reason'], results, options);
  }
}
