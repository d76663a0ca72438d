import { Command } from 'nest-commander';
import { NodeUnavailableError } from '../chain/node/node-errors';
import { plural } from '../common/plural';
import { FindingStore } from '../findings/finding.store';
import { CheckEverything, type CheckReport } from '../reconciliation/check-everything';
import { CliCommand } from './cli-command';
import { FOUND_COLUMNS, foundNow } from './finding.document';
import { type OutputOptions, printDocument, printLine, printList } from './output';

@Command({ name: 'audit', description: 'compares money, orders and chain; exit code 1 when anything does not agree' })
export class AuditCommand extends CliCommand {
  constructor(
    private readonly audit: CheckEverything,
    private readonly store: FindingStore,
  ) {
    super();
  }

  async run(_: string[], options: OutputOptions): Promise<void> {
    const report = await this.audit.run().catch(withoutNode);
    if (!report.ok) process.exitCode = 1;
    const findings = foundNow(report.findings, await this.store.openIds());
    if (options.json) return printDocument({ ...report, findings }, options);
    const counts = Object.entries(report.checked).map(([what, count]) => countOf(what.replaceAll('_', ' '), count));
    printLine(`${report.ok ? 'ok' : plural(findings.length, 'finding', 'findings')} (${counts.join(', ')})`);
    if (!report.ok) printList(FOUND_COLUMNS, findings, options);
  }
}

function countOf(what: string, count: number): string {
  return plural(count, what.replace(/ies$/, 'y').replace(/s$/, ''), what);
}

/** Half an audit is none: that the chain could not be asked is the one thing to say. */
function withoutNode(error: unknown): CheckReport {
  if (!(error instanceof NodeUnavailableError)) throw error;
  const next_step = 'Bring a node within reach (doctor says what is wrong with each), then audit again.';
  return {
    ok: false,
    checked: {},
    findings: [{ kind: 'node_unavailable', subject: 'chain', reason: error.message, next_step }],
  };
}
