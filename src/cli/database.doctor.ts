import type { Configuration } from '../../config/configuration';
import { diagnoseDatabase } from '../database/diagnose-database';
import { describeNode, printNode } from './node.doctor';
import { printDocument, printList } from './output';

/**
 * The part of `doctor` that runs before the database is opened: opening it applies migrations, or fails at the first fault. True when
 * something was found and printed.
 */
export async function foundInDatabase({ database }: Configuration, args: readonly string[]): Promise<boolean> {
  if (args[0] !== 'doctor' || database.url === undefined) return false;
  const findings = await diagnoseDatabase(database.url);
  if (findings.length === 0) return false;
  const options = { json: args.includes('--json') };
  const node = describeNode();
  if (options.json) printDocument({ ok: false, node, findings }, options);
  else {
    printNode(node);
    printList(
      ['kind', 'subject', 'reason', 'next_step'],
      findings.map((finding) => ({ ...finding })),
      options,
    );
  }
  process.exitCode = 1;
  return true;
}
