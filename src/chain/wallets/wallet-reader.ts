import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { KeyedQueue } from '../../common/concurrency/keyed-queue';
import type { EnergyRate } from '../energy';
import { ChainReads } from '../node/chain-reads';
import { NodeUnavailableError } from '../node/node-errors';
import { BYTES_A_TRANSACTION } from './fees';
import { Reservations, type WalletReading } from './reservations';
import { SolidBlock } from './solid-block';
import type { WalletRow } from './wallet-row';
import { WalletStake } from './wallet-stake';

/** Beside other wallets; if blocks come too fast for that, one wallet at a time, as fast as it goes, and for so long. */
const ATTEMPTS_TOGETHER = 3;
const ATTEMPTS_ALONE = 5;
const MORE_ALONE_MS = 3_000;
/** Two nodes behind one address, of which each shows another block, never agree. */
const MOST_ATTEMPTS = 50;

/** Its delegation and its reclaim. */
const BYTES_OF_AN_ORDER = 2n * BYTES_A_TRANSACTION;

/** The nodes answer, but say nothing usable of this one wallet. */
export class WalletUnreadableError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'WalletUnreadableError';
  }
}

export interface ReadWallet {
  /** Null for an account that does not exist. */
  readonly rate: EnergyRate | null;
  readonly block: number;
}

/** Reads one wallet at one solid block, and stores the reading for every instance. */
@Injectable()
export class WalletReader {
  private readonly alone = new KeyedQueue();

  constructor(
    private readonly reads: ChainReads,
    private readonly stake: WalletStake,
    private readonly solid: SolidBlock,
    private readonly reservations: Reservations,
    private readonly clock: Clock,
  ) {}

  /** @throws WalletUnreadableError; NodeUnavailableError when the nodes answer nothing else either */
  async read(wallet: WalletRow): Promise<ReadWallet> {
    const read =
      (await this.readWithin(wallet, (attempts) => attempts < ATTEMPTS_TOGETHER)) ??
      (await this.alone.run('', async () => this.readAlone(wallet)));
    if (read) return read;
    throw new WalletUnreadableError(new Error('solid blocks come faster than a reading takes'));
  }

  private readAlone(wallet: WalletRow): Promise<ReadWallet | null> {
    const endMs = this.clock.monotonicMs() + MORE_ALONE_MS;
    const goesOn = (attempts: number) =>
      attempts < ATTEMPTS_ALONE || (attempts < MOST_ATTEMPTS && this.clock.monotonicMs() < endMs);
    return this.readWithin(wallet, goesOn, 0);
  }

  /** Null when each time another solid block came meanwhile, so that the reading may be of either. */
  private async readWithin(
    wallet: WalletRow,
    goesOn: (attempts: number) => boolean,
    gatherMs?: number,
  ): Promise<ReadWallet | null> {
    let before = await this.solid.before();
    for (let attempts = 0; goesOn(attempts); attempts++) {
      const { rate, ...reading } = await this.ask(wallet, before.number);
      const after = await this.solid.after(gatherMs);
      if (before.id === after.id) {
        await this.reservations.observe({ ...reading, block: after.number });
        return { rate, block: after.number };
      }
      before = after;
    }
    return null;
  }

  private async ask(
    wallet: WalletRow,
    solidBlock: number,
  ): Promise<Omit<WalletReading, 'block'> & Pick<ReadWallet, 'rate'>> {
    try {
      const [shown, resources] = await Promise.all([
        this.stake.read(wallet, solidBlock),
        this.reads.resources(wallet.address, undefined, BYTES_OF_AN_ORDER),
      ]);
      const { rate, ...bandwidths } = resources ?? { rate: null, bandwidth: 0n, freeBandwidth: 0n };
      return { walletId: wallet.id, ...shown, ...bandwidths, rate };
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error;
      // Throws when it is not the wallet.
      await this.solid.after();
      throw new WalletUnreadableError(error);
    }
  }
}
