/** What stands between the `+` of an address and its `@`: most servers deliver `ann+shop@…` to `ann@…`. */
const TAG = /(.)\+[^@]*@/;

/** All addresses that count as one: of an address in its one spelling, without its tag. */
export function mailboxOf(email: string): string {
  return email.replace(TAG, '$1@');
}

/** SQL: the same of a column. Indexes have this text. */
export const mailboxSql = (email: string) => `regexp_replace(${email}, '(.)[+][^@]*@', '\\1@')`;
