import { describeNode, printNode } from './node.doctor';
import { type OutputOptions, printDocument, printLine, printList } from './output';

interface Finding {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
}

/**
 * What `doctor` prints, and its exit code: 1 when something was found. `warnings`: what a service may well run with, and better did not.
 */
export function printFindings(
  findings: readonly Finding[],
  options: OutputOptions,
  warnings: readonly Finding[] = [],
): void {
  if (findings.length > 0) process.exitCode = 1;
  const node = describeNode();
  if (options.json) return printDocument({ ok: findings.length === 0, node, findings, warnings }, options);
  printNode(node);
  for (const { kind, reason, next_step: next } of warnings)
    process.stderr.write(`Warning: ${kind}: ${reason}. ${next}\n`);
  if (findings.length === 0) return printLine('ok: settings, database, nodes and keys');
  printList(
    ['kind', 'subject', 'reason', 'next_step'],
    findings.map((finding) => ({ ...finding })),
    options,
  );
}
