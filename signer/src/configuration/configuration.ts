export const ROLES = ['delegate', 'activate', 'stake'] as const;
export type Role = (typeof ROLES)[number];

export type Source =
  | { readonly file: string }
  | { readonly env: string }
  | { readonly aws_kms: { readonly key_id: string; readonly region: string; readonly endpoint?: string } }
  | {
      readonly pkcs11: {
        readonly module: string;
        readonly token: string;
        readonly label: string;
        readonly pin_env: string;
      };
    };

/** What a key may sign. */
export interface KeyRule {
  readonly id: string;
  /** The wallet: the owner of each transaction that the key signs. */
  readonly address: Buffer;
  readonly permissionId: number;
  readonly role: Role;
  readonly mayUnfreeze: boolean;
  readonly limits: { readonly stakeSunPerHour?: bigint; readonly transfersPerHour?: bigint };
}

export interface KeySettings extends KeyRule {
  readonly source: Source;
}

export interface Configuration {
  readonly keys: readonly KeySettings[];
  /** The log, from which a start reads what counts for the limits. */
  readonly state: string;
}
