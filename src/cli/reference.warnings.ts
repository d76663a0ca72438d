import type { ReferenceOutcome } from '../admin/money-admin.service';

/** What somebody who has run a command should know of its reference. On stderr, one line each. */
export function warnOfReference({ reference, lookedUp, otherWithReference: other }: ReferenceOutcome): void {
  if (lookedUp)
    process.stderr.write(
      `Warning: the connection to the database broke; looked up: it was done, once, with reference ${JSON.stringify(reference)}\n`,
    );
  if (other !== null)
    process.stderr.write(`Warning: another customer has the reference ${JSON.stringify(reference)} too: ${other}\n`);
}
