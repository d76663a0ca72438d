import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { type EnergyRate, givesLess } from '../../tron/energy';
import { withCallPriority } from '../../tron/node/call-priority';
import { ChainReads } from '../../tron/node/chain-reads';
import { ConfiguredNodes } from '../../tron/node/configured-nodes';

/** So often at most a node is asked for nothing but the rate. */
const ASK_AGAIN_MS = 50_000;
/** A node that hangs delays no order by more. */
const LONGEST_WAIT_MS = 500;
/** So long still counts what a node has shown that does not answer any more, or has fallen behind. */
const KEPT_MS = 600_000;
/** Nodes a few blocks apart differ by far less: only a vote changes the limit, and the network's stake moves by less than that in a day. */
const DRIFT_PERCENT = 1n;

interface Shown {
  readonly rate: EnergyRate;
  /** When it was first asked in vain since. */
  readonly silentSinceMs: number | null;
}

/**
 * How much energy the network gives for a stake, which no block proves: a node that makes it too large has an order lend next to
 * nothing at its full price. So each configured node is asked, and the least that any has shown counts. One that is honest is enough.
 */
@Injectable()
export class NetworkRate {
  private readonly logger = new Logger(NetworkRate.name);
  /** By the node in use, with the last wallet. */
  private read: EnergyRate | null = null;
  /** By node, when there are several. */
  private readonly shown = new Map<string, Shown>();
  private asked: { readonly atMs: number; readonly answers: Promise<unknown> } | null = null;
  private disagreed = false;
  private compared = false;

  constructor(
    private readonly reads: ChainReads,
    private readonly nodes: ConfiguredNodes,
    private readonly clock: Clock,
  ) {}

  /** Null until a wallet has been read. */
  get believed(): EnergyRate | null {
    if (!this.read) return null;
    return [...this.shown.values()].reduce((least, { rate }) => (givesLess(rate, least) ? rate : least), this.read);
  }

  /** False while the rate may be a single node's word although other nodes have not been asked yet. */
  get isCompared(): boolean {
    return this.compared || this.nodes.allUrls('wallet').length < 2;
  }

  wasRead(rate: EnergyRate): void {
    this.read = rate;
  }

  /**
   * Asks every node about one of these accounts, and waits half a second at most: what comes later counts from then on. With a single
   * node it asks nothing. Concurrent callers share one question. Never throws.
   */
  async compare(addresses: readonly string[]): Promise<void> {
    const urls = this.nodes.allUrls('wallet');
    if (urls.length < 2 || addresses.length === 0) return;
    const now = this.clock.monotonicMs();
    if (!this.asked || now - this.asked.atMs > ASK_AGAIN_MS)
      this.asked = { atMs: now, answers: withCallPriority('wallets', () => this.askEach(urls, addresses)) };
    await this.clock.waitAtMost(LONGEST_WAIT_MS, this.asked.answers);
    this.compared = true;
  }

  private async askEach(urls: readonly string[], addresses: readonly string[]): Promise<void> {
    await Promise.all(urls.map((url) => this.ask(url, addresses)));
    this.tellWhetherTheyAgree();
  }

  private async ask(url: string, addresses: readonly string[]): Promise<void> {
    // One that is catching up shows the rate of months ago.
    const rate = this.nodes.isBehind('wallet', url) ? null : await this.firstRate(url, addresses).catch(() => null);
    if (rate) this.shown.set(url, { rate, silentSinceMs: null });
    else this.wasSilent(url);
  }

  private wasSilent(url: string): void {
    const last = this.shown.get(url);
    if (!last) return;
    const now = this.clock.monotonicMs();
    const silentSinceMs = last.silentSinceMs ?? now;
    if (now - silentSinceMs > KEPT_MS) this.shown.delete(url);
    else this.shown.set(url, { ...last, silentSinceMs });
  }

  /** The rate by the first of these accounts that exists on this node: for others it shows nothing. @throws NodeUnavailableError */
  private async firstRate(url: string, addresses: readonly string[]): Promise<EnergyRate | null> {
    for (const address of addresses) {
      const found = await this.reads.resourcesAt(url, address);
      if (found) return found.rate;
    }
    return null;
  }

  private tellWhetherTheyAgree(): void {
    const shown = [...this.shown].map(([url, { rate }]) => ({ host: new URL(url).host, rate }));
    const least = shown.reduce((a, b) => (givesLess(b.rate, a.rate) ? b : a), shown[0]!);
    const most = shown.reduce((a, b) => (givesLess(a.rate, b.rate) ? b : a), shown[0]!);
    const disagree = shown.length > 1 && givesLess(withDrift(least.rate), most.rate);
    if (disagree && !this.disagreed)
      this.logger.warn(
        `The nodes disagree on the energy of a stake: limit ${least.rate.limit}, weight ${least.rate.weight} by ${least.host}, ` +
          `limit ${most.rate.limit}, weight ${most.rate.weight} by ${most.host}. Orders lend by the former, which gives receivers more`,
      );
    else if (!disagree && this.disagreed) this.logger.log('The nodes agree on the energy of a stake again');
    this.disagreed = disagree;
  }
}

function withDrift({ limit, weight }: EnergyRate): EnergyRate {
  return { limit: limit * (100n + DRIFT_PERCENT), weight: weight * 100n };
}
