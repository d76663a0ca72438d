import { Inject } from '@nestjs/common';
import { CheckAdminService } from '../admin/check-admin.service';
import { plural } from '../common/plural';
import { FindingRepository } from '../findings/finding.repository';
import { CliCommand, Command } from './cli-command';
import { commandLineOperator } from './command-line.operator';
import { FOUND_COLUMNS, foundNow } from './finding.commands';
import { type OutputOptions, printDocument, printLine, printList } from './output';

@Command({
  name: 'reconcile',
  description: 'audit and act: keep the findings, repair what is safe, and pause wallets with unexplained stake',
})
export class ReconcileCommand extends CliCommand {
  @Inject() private readonly admin!: CheckAdminService;
  @Inject() private readonly findings!: FindingRepository;

  async run(_: string[], options: OutputOptions): Promise<void> {
    const result = await this.admin.reconcile(commandLineOperator(), 'whole');
    if (!result.ok) process.exitCode = 1;
    const { mended, paused, resumed } = result;
    const ids = await this.findings.openIds();
    const [findings, alarms] = [foundNow(result.findings, ids), foundNow(result.alarms, ids)];
    if (options.json) return printDocument({ ...result, findings, alarms }, options);
    printLine(
      `${plural(findings.length, 'finding', 'findings')}, ${mended} repaired, paused: ${paused.join(', ') || 'none'}`,
    );
    if (resumed.length > 0) printLine(`takes orders again: ${resumed.join(', ')}`);
    if (findings.length + alarms.length === 0) return;
    printList(FOUND_COLUMNS, [...findings, ...alarms], options);
  }
}
