import { Inject } from '@nestjs/common';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import { plural } from '../common/plural';
import { FindingRepository } from '../findings/finding.repository';
import { CheckEverything } from '../reconciliation/check-everything';
import { CliCommand, Command, type CommandEffect } from './cli-command';
import { FOUND_COLUMNS, foundNow } from './finding.commands';
import { type Document, type OutputOptions, printDocument, printLine, printList } from './output';

@Command({ name: 'audit', description: 'compare money, orders and chain; exit with 1 if anything does not agree' })
export class AuditCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'reads';

  @Inject() private readonly checks!: CheckEverything;
  @Inject() private readonly findings!: FindingRepository;

  async run(_: string[], options: OutputOptions): Promise<void> {
    const { ok, checked, findings } = await this.compare().catch(withoutNode);
    if (!ok) process.exitCode = 1;
    if (options.json) return printDocument({ ok, checked, findings }, options);
    const counts = Object.entries(checked).map(([what, count]) => countOf(what.replaceAll('_', ' '), count));
    printLine(`${ok ? 'ok' : plural(findings.length, 'finding', 'findings')} (${counts.join(', ')})`);
    if (!ok) printList(FOUND_COLUMNS, findings, options);
  }

  private async compare(): Promise<Audit> {
    const report = await this.checks.run();
    return { ...report, findings: foundNow(report.findings, await this.findings.openIds()) };
  }
}

interface Audit {
  readonly ok: boolean;
  readonly checked: Readonly<Record<string, number>>;
  readonly findings: Document[];
}

function countOf(what: string, count: number): string {
  return plural(count, what.replace(/ies$/, 'y').replace(/s$/, ''), what);
}

/** Half a comparison is none: that the chain could not be asked is the one thing to say. */
function withoutNode(error: unknown): Audit {
  if (!(error instanceof NodeUnavailableError)) throw error;
  const next_step = 'Run doctor, which says what is wrong with each node. Then run audit again.';
  const finding = { id: null, kind: 'node_unavailable', subject: 'chain', reason: error.message, next_step };
  return { ok: false, checked: {}, findings: [finding] };
}
