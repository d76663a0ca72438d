import type { WalletState } from '../../chain/pool/wallets/pool-wallet.entity';

/** What was read last of the stake of a wallet that lends. Findings and metrics go by it; the network judges what is sent for it. */
export interface ReadingRow {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly state: WalletState;
  readonly has_care: boolean;
  /** Why the key of its care cannot do what it should. */
  readonly key_fault: string | null;
  /** Those that it votes for, and those that its care names. */
  readonly witnesses: readonly string[];
  /** Block time of the reading; null: there was none. */
  readonly read_ms: bigint | null;
  readonly power: bigint;
  readonly idle_votes: bigint;
  readonly reward_sun: bigint;
  readonly ripe_sun: bigint;
  /** Block time from which on each of these has been so. */
  readonly idle_since_ms: bigint | null;
  readonly reward_since_ms: bigint | null;
  readonly ripe_since_ms: bigint | null;
}
