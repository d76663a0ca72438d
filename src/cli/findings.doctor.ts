import { describeNode, printNode } from './node.doctor';
import { type OutputOptions, printDocument, printLine, printList } from './output';

interface Finding {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
}

/** What `doctor` prints, and its exit code: 1 when something was found. */
export function printFindings(findings: readonly Finding[], options: OutputOptions): void {
  if (findings.length > 0) process.exitCode = 1;
  const node = describeNode();
  if (options.json) return printDocument({ ok: findings.length === 0, node, findings }, options);
  printNode(node);
  if (findings.length === 0) return printLine('ok: settings, database, nodes and keys');
  printList(
    ['kind', 'subject', 'reason', 'next_step'],
    findings.map((finding) => ({ ...finding })),
    options,
  );
}
