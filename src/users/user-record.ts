export interface UserSettings {
  readonly name?: string;
  readonly operator?: boolean;
  /** Variant B; null: the configured default. */
  readonly unitPriceSun?: bigint | null;
  /** null: the configured general limit. */
  readonly rateLimitPerMinute?: number | null;
  /** Below it webhooks and panel say so; null: never. */
  readonly lowBalanceSun?: bigint | null;
}

export interface UserRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
  readonly unitPriceSun: bigint | null;
  readonly rateLimitPerMinute: number | null;
  readonly lowBalanceSun: bigint | null;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  readonly balanceSun: bigint;
  readonly heldSun: bigint;
}

/** Somebody whose password was right, as of the user's session epoch then. */
export interface Identity {
  readonly userId: string;
  readonly email: string;
  readonly sessionEpoch: number;
}

export interface Credentials extends Identity {
  /** null: no password was set yet. */
  readonly passwordHash: string | null;
}
