import { NodeUnavailableError } from '../../chain/tron/node/node-errors';
import { type Finding, finding } from '../../findings/finding';
import type { DelegatedResource } from './delegated-resources';

type OfWallet = Pick<DelegatedResource, 'walletId' | 'wallet'>;

const ATTEMPTS = 3;
const NEXT_ATTEMPT_MS = 1_000;
/** One answer may be odd; a wallet of which so many cannot be read is left, and the others are compared. */
const MOST_FAILURES = 5;

interface Failures {
  readonly wallet: string;
  readonly reason: string;
  readonly count: number;
}

/** Wallets of which a run could not read everything, while the nodes answered other questions. */
export class UnreadWalletsOfRun {
  private readonly failures = new Map<string, Failures>();

  constructor(
    private readonly sleep: (ms: number) => Promise<void>,
    /** Throws NodeUnavailableError while no node answers anything. */
    private readonly anyAnswer: () => Promise<unknown>,
  ) {}

  /** Undefined when nothing usable can be read. @throws NodeUnavailableError when that is not the wallet's own fault */
  async read<T>(of: OfWallet, ask: () => Promise<T>): Promise<T | undefined> {
    for (let attempt = 1; !this.isGivenUp(of); attempt++) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof NodeUnavailableError)) throw error;
        await this.anyAnswer();
        if (attempt === ATTEMPTS) this.failed(of, error.reason);
        if (attempt >= ATTEMPTS) return undefined;
        await this.sleep(NEXT_ATTEMPT_MS);
      }
    }
    return undefined;
  }

  get ids(): string[] {
    return [...this.failures.keys()];
  }

  findings(): Finding[] {
    return [...this.failures].map(([walletId, { wallet, reason }]) =>
      finding('wallet_unread', { unread_for: reason }, { type: 'wallet', walletId, wallet }),
    );
  }

  private isGivenUp({ walletId }: OfWallet): boolean {
    return (this.failures.get(walletId)?.count ?? 0) >= MOST_FAILURES;
  }

  private failed({ walletId, wallet }: OfWallet, reason: string): void {
    const before = this.failures.get(walletId);
    this.failures.set(walletId, { wallet, reason: before?.reason ?? reason, count: (before?.count ?? 0) + 1 });
  }
}
