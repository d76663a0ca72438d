/** How the audit log names whom something was done to: what is searched for there. */
export function userSubject(email: string): string {
  return `user ${email.trim().toLowerCase()}`;
}
