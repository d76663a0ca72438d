import { Command } from 'nest-commander';
import { OperateChecks } from '../operate/operate-checks';
import { CliCommand } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { type OutputOptions, printDocument, printLine, printList } from './output';

@Command({
  name: 'reconcile',
  description: 'audit with consequences: keeps findings, mends what is safe, pauses wallets that are not explained',
})
export class ReconcileCommand extends CliCommand {
  constructor(private readonly operate: OperateChecks) {
    super();
  }

  async run(_: string[], options: OutputOptions): Promise<void> {
    const result = await this.operate.reconcile(commandLineOperator(), 'whole');
    if (!result.ok) process.exitCode = 1;
    if (options.json) return printDocument({ ...result }, options);
    const { findings, mended, paused, resumed, alarms } = result;
    printLine(`${findings.length} findings, ${mended} mended, paused: ${paused.join(', ') || 'none'}`);
    if (resumed.length > 0) printLine(`takes orders again: ${resumed.join(', ')}`);
    if (findings.length + alarms.length === 0) return;
    printList(
      ['kind', 'subject', 'reason', 'next_step'],
      [...findings, ...alarms].map((finding) => ({ ...finding })),
      options,
    );
  }
}
