import { normaliseEmail } from '../users/user.validation';

/** Whom or what an act was done to. A user is named by an address and written down by id: addresses change. */
export type Subject = string | UserSubject;

export interface UserSubject {
  /** As it was typed, perhaps the address of no user. */
  readonly userEmail: string;
}

export function userSubject(email: string): UserSubject {
  return { userEmail: normaliseEmail(email) };
}
