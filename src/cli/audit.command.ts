import { Command } from 'nest-commander';
import { Audit } from '../delegation/audit/audit';
import { CliCommand } from './cli-command';
import { type OutputOptions, printDocument, printLine, printList } from './output';

@Command({ name: 'audit', description: 'compares money, orders and chain; exit code 1 when anything does not agree' })
export class AuditCommand extends CliCommand {
  constructor(private readonly audit: Audit) {
    super();
  }

  async run(_: string[], options: OutputOptions): Promise<void> {
    const report = await this.audit.run();
    if (!report.ok) process.exitCode = 1;
    if (options.json) return printDocument({ ...report }, options);
    const counts = Object.entries(report.checked).map(([what, count]) => `${count} ${what.replaceAll('_', ' ')}`);
    printLine(`${report.ok ? 'ok' : `${report.findings.length} findings`} (${counts.join(', ')})`);
    if (!report.ok)
      printList(
        ['kind', 'subject', 'reason', 'next_step'],
        report.findings.map((finding) => ({ ...finding })),
        options,
      );
  }
}
