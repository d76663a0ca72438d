import type { KeyRole } from './wallet-role';

/** A wallet as those see it that sign for it. */
export interface KeyOwner {
  readonly name: string;
  readonly address: string;
  readonly role: KeyRole;
  readonly keySource: string;
  readonly permissionId: number;
}
