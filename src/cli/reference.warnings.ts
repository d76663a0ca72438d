import type { ReferenceOutcome } from '../admin/money-admin.service';

/** What somebody who has run a command should know of its reference. On stderr, one line each. */
export function warnOfReference({ reference, lookedUp, otherWithReference: other }: ReferenceOutcome): void {
  if (lookedUp)
    process.stderr.write(
      `Warning: the connection to the database broke, but the change was made, once, with reference ${JSON.stringify(reference)}\n`,
    );
  if (other !== null)
    process.stderr.write(`Warning: another customer also has the reference ${JSON.stringify(reference)}: ${other}\n`);
}
