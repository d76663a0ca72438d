import type { Configuration } from '../../config/configuration';
import { diagnoseDatabase } from '../database/diagnose-database';
import { printDocument, printList } from './output';

/**
 * What `doctor` has to say before there is a database to work with: opening one for any other command applies its migrations or
 * ends with the first thing that is wrong. True when something was said.
 */
export async function foundInDatabase({ database }: Configuration, args: readonly string[]): Promise<boolean> {
  if (args[0] !== 'doctor' || database.url === undefined) return false;
  const findings = await diagnoseDatabase(database.url);
  if (findings.length === 0) return false;
  const options = { json: args.includes('--json') };
  if (options.json) printDocument({ ok: false, findings }, options);
  else
    printList(
      ['kind', 'subject', 'reason', 'next_step'],
      findings.map((finding) => ({ ...finding })),
      options,
    );
  process.exitCode = 1;
  return true;
}
