import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { leastBy } from '../../../common/least-by';
import { type EnergyRate, stakeOfEnergy } from '../../tron/energy';
import type { SaidBlock } from '../../proof/block-header';
import { ChainReads } from '../../tron/node/chain-reads';
import { NodeUnavailableError } from '../../tron/node/node-errors';
import { Reservations, type WalletReading } from './reservations';
import { SolidBlock } from './solid-block';
import type { WalletRow } from './wallet-row';
import { WalletStake } from './wallet-stake';

/** One address may lead to two nodes, of which one has a solid block that the other lacks. */
const ATTEMPTS = 10;
/** One that keeps a reading waiting for longer, because it wants fewer calls, is left for the next one, where there is one. */
const LONGEST_MS = 15_000;

/** All that a column holds. */
const MOST_SUN = 2n ** 63n - 1n;

/** An account that does not exist has none. */
const NO_RESOURCES = { rate: null, bandwidth: 0n, freeBandwidth: 0n, usedEnergy: 0n };

/** The nodes answer, but say nothing usable of this one wallet. */
export class WalletUnreadableError extends Error {
  constructor(message: string, cause?: Error) {
    super(message, { cause });
    this.name = 'WalletUnreadableError';
  }
}

export interface ReadWallet {
  /** Null for an account that does not exist. */
  readonly rate: EnergyRate | null;
  readonly block: number;
}

/** Reads one wallet at one node (wallet-stake.ts asks others what they show of it, too), and stores the reading for every instance. */
@Injectable()
export class WalletReader {
  constructor(
    private readonly reads: ChainReads,
    private readonly stake: WalletStake,
    private readonly solid: SolidBlock,
    private readonly reservations: Reservations,
    private readonly clock: Clock,
  ) {}

  /** @throws WalletUnreadableError; NodeUnavailableError when the nodes answer nothing else either */
  async read(wallet: WalletRow): Promise<ReadWallet> {
    let fault: unknown = new NodeUnavailableError('no node shows the solid chain');
    const urls = this.reads.solidUrls;
    for (const [at, url] of urls.entries()) {
      try {
        const reading = this.readAt(url, wallet);
        return at < urls.length - 1 ? await this.withinTime(reading) : await reading;
      } catch (error) {
        if (!(error instanceof NodeUnavailableError || error instanceof WalletUnreadableError)) throw error;
        // A node that answers, and says nothing of this wallet, tells more than one that is away.
        if (!(fault instanceof WalletUnreadableError)) fault = error;
      }
    }
    throw fault;
  }

  private async withinTime(reading: Promise<ReadWallet>): Promise<ReadWallet> {
    const over = new AbortController();
    const late = this.clock.sleep(LONGEST_MS, over.signal).then(() => {
      throw new NodeUnavailableError('it keeps a reading waiting');
    });
    return Promise.race([reading, late]).finally(() => over.abort());
  }

  /**
   * What lies between two heads a and b of the node's solid chain is of a block between them, and counts as of a: what has landed in
   * between is then taken off twice, by the node and by our rows, and never too little. When b is lower than a, it may be of any block.
   * And a is a block of the verified chain: a height alone is the node's word.
   */
  private async readAt(url: string, wallet: WalletRow): Promise<ReadWallet> {
    let before = await this.solid.before(url);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { rate, ...reading } = await this.ask(url, wallet, before.number);
      const after = await this.solid.after(url);
      if (before.number <= after.number) {
        await this.requireVerified(url, before);
        await this.reservations.observe({ ...reading, block: before.number, until: after.number });
        return { rate, block: before.number };
      }
      before = after;
    }
    throw new WalletUnreadableError('the solid chain of the node steps back again and again');
  }

  private async requireVerified(url: string, block: SaidBlock): Promise<void> {
    await this.solid.require(url, block).catch((error: unknown) => {
      throw error instanceof NodeUnavailableError ? new WalletUnreadableError(error.message, error) : error;
    });
  }

  private async ask(
    url: string,
    wallet: WalletRow,
    solidBlock: number,
  ): Promise<Omit<WalletReading, 'block' | 'until'> & Pick<ReadWallet, 'rate'>> {
    try {
      const [shown, resources] = await Promise.all([
        this.stake.read(wallet, url, solidBlock),
        this.reads.resources(wallet.address),
      ]);
      // As with its TRX (wallet-stake.ts).
      const { rate, usedEnergy, ...bandwidths } =
        resources.length > 0 ? leastBy(resources, ({ bandwidth }) => bandwidth) : NO_RESOURCES;
      const usedEnergySun = rate ? storable(stakeOfEnergy(usedEnergy, rate)) : 0n;
      return { walletId: wallet.id, ...shown, ...bandwidths, usedEnergySun, rate };
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error;
      // Throws when it is not the wallet.
      await this.solid.after(url);
      throw new WalletUnreadableError(error.message, error);
    }
  }
}

/** A node that lies may name more used energy than any stake gives, and so much stake that no column holds it. */
function storable(sun: bigint): bigint {
  return sun < MOST_SUN ? sun : MOST_SUN;
}
