import type { BillingVariant } from './billing-variants';
import type { CrashPoint } from './crash-point';
import type { Customers } from './customers';
import type { Deposits } from './deposits';
import type { Notices } from './notices';
import type { Observability } from './observability';
import type { SignerPlace } from './signer';

/** Everything that can be set, validated at start and frozen. Read by `load-configuration.ts` from what `environment.ts` takes from `process.env`. */
export interface Configuration extends Observability, Notices, Customers, Deposits {
  readonly production: boolean;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  readonly http: {
    readonly host: string;
    /** 0: a free port, printed. */
    readonly port: number;
    /** As express's `trust proxy`. */
    readonly trustProxy: boolean | number | string;
    /** Scheme, host and port; undefined: `http://HOST:PORT` of the bound socket. */
    readonly publicUrl?: string;
    /** Browsers are to use HTTPS for all hosts below this one too, also where others serve them. */
    readonly hstsSubdomains: boolean;
    /** Longer than a balancer in front keeps idle connections, so that it is never us who close one while it sends on it. */
    readonly keepAliveMs: number;
  };
  readonly database: {
    /** undefined: the embedded PostgreSQL under `dataDir`. */
    readonly url?: string;
    readonly migrationUrl?: string;
  };
  /** Absolute path: embedded database, local chain state, demo token. */
  readonly dataDir: string;
  readonly billing: {
    readonly variant: BillingVariant;
    /** By the variant: delegate answers have the field `cost`, 0 on a failure. */
    readonly answersCarryCost: boolean;
    readonly defaultUnitPriceSun: bigint;
  };
  readonly delegation: {
    readonly answer: 'included' | 'accepted';
    readonly answerTimeoutMs: number;
    /** Stake above the computed one, in millionths: 0.1 % is 1000. */
    readonly energyMarginPpm: bigint;
  };
  readonly reclaim: {
    readonly delayMs: number;
    readonly sweepMs: number;
    /** 1440-minute rentals are held until the rental ends. */
    readonly atRentalEnd: boolean;
  };
  readonly orders: {
    /** Older attempts that never became an order are forgotten; null: never. */
    readonly retainRefusalsMs: number | null;
  };
  readonly nodes: {
    /** Base URLs without a trailing slash; empty: the local chain. */
    readonly fullNodeUrls: readonly string[];
    readonly solidityNodeUrls: readonly string[];
    readonly apiKey?: string;
    /** The proof that a block counts by: its witnesses' signatures, or the word of nodes. */
    readonly proof: 'signatures' | 'nodes';
    /** The TRC-20 token that a quote is for when it names none. */
    readonly usdtContract: string;
    /** To each host and port at a time, of this process. */
    readonly connections: number;
    /** Limit of this process at each host and port, in any second; null: as many as the node bears. */
    readonly callsPerSecond: number | null;
  };
  readonly localChain: {
    /** Already decided: play energy never appears because a setting was forgotten. */
    readonly enabled: boolean;
    readonly blockMs: number;
  };
  /** How often chain and database are compared, by all instances together. */
  readonly reconcileMs: number;
  readonly rateLimit: {
    readonly perMinute: number;
    readonly store: 'memory' | 'postgres';
  };
  readonly webhooks: {
    /** Plain http, private and loopback addresses too; link-local and metadata addresses never. */
    readonly allowPrivate: boolean;
  };
  /** 32 bytes each, in base64. The first encrypts secrets in the database, all of them decrypt; none: they are stored as they are. */
  readonly secretKeys: readonly string[];
  readonly access: {
    /** An operator without a second factor reaches nothing but the page that sets one up. */
    readonly operatorsNeedSecondFactor: boolean;
  };
  /** What a start does about a wallet's key that may do more than the service needs. */
  readonly powerfulKeys: 'warn' | 'refuse';
  /** Where the process listens that has the keys of wallets with `--signer`; null: there is none. */
  readonly signer: SignerPlace | null;
  /** For tests: the process ends by SIGKILL there. Never set in production. */
  readonly crashAt?: CrashPoint;
}

/** The injection token under which the one Configuration is found. */
export const CONFIGURATION = Symbol('CONFIGURATION');
