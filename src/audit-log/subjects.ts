/** The subject under which the audit log files an act: it is searched by it. */
export function userSubject(email: string): string {
  return `user ${email.trim().toLowerCase()}`;
}
