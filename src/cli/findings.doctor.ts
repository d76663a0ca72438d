import { describeNode, printNode } from './node.doctor';
import { type OutputOptions, printDocument, printLine, printList } from './output';

interface Finding {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
}

/** Where a wallet's key is, for the operator to see at a glance. */
export interface KeyPlace {
  readonly wallet: string;
  readonly role: string;
  /** `service`: in the service's own process. */
  readonly place: 'signer' | 'service';
  readonly key: string;
}

/**
 * What `doctor` prints, and its exit code: 1 when something was found. `warnings`: what a service may well run with, and better did not.
 */
export function printFindings(
  findings: readonly Finding[],
  options: OutputOptions,
  warnings: readonly Finding[] = [],
  keys: readonly KeyPlace[] = [],
): void {
  if (findings.length > 0) process.exitCode = 1;
  const node = describeNode();
  if (options.json) return printDocument({ ok: findings.length === 0, node, keys, findings, warnings }, options);
  printNode(node);
  for (const { wallet, role, place, key } of keys)
    printLine(
      `Key of ${wallet} (${role}): ${place === 'signer' ? 'in the signer' : "in the service's own process"}, ${key}`,
    );
  for (const { kind, reason, next_step: next } of warnings)
    process.stderr.write(`Warning: ${kind}: ${reason}. ${next}\n`);
  if (findings.length === 0) return printLine('ok: settings, database, nodes and keys');
  printList(
    ['kind', 'subject', 'reason', 'next_step'],
    findings.map((finding) => ({ ...finding })),
    options,
  );
}
