import { Command } from 'nest-commander';
import { NodeUnavailableError } from '../chain/node/node-errors';
import { Audit, type AuditReport } from '../delegation/audit/audit';
import { CliCommand } from './cli-command';
import { type OutputOptions, printDocument, printLine, printList } from './output';

@Command({ name: 'audit', description: 'compares money, orders and chain; exit code 1 when anything does not agree' })
export class AuditCommand extends CliCommand {
  constructor(private readonly audit: Audit) {
    super();
  }

  async run(_: string[], options: OutputOptions): Promise<void> {
    const report = await this.audit.run().catch(withoutNode);
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

/** Half an audit is none: that the chain could not be asked is the one thing to say. */
function withoutNode(error: unknown): AuditReport {
  if (!(error instanceof NodeUnavailableError)) throw error;
  const next_step = 'Bring a node within reach (doctor says what is wrong with each), then audit again.';
  return {
    ok: false,
    checked: {},
    findings: [{ kind: 'node_unavailable', subject: 'chain', reason: error.message, next_step }],
  };
}
