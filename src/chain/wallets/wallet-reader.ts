import { Injectable } from '@nestjs/common';
import type { EnergyRate } from '../energy';
import { ChainReads } from '../node/chain-reads';
import { NodeUnavailableError } from '../node/node-errors';
import { Reservations, type WalletReading } from './reservations';
import { SolidBlock } from './solid-block';
import type { WalletRow } from './wallet-row';

const ATTEMPTS = 8;
/** From then on the end of a reading is not waited for together with others: blocks come too fast for that. */
const ATTEMPTS_TOGETHER = 3;

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
  constructor(
    private readonly reads: ChainReads,
    private readonly solid: SolidBlock,
    private readonly reservations: Reservations,
  ) {}

  /** @throws WalletUnreadableError; NodeUnavailableError when the nodes answer nothing else either */
  async read(wallet: WalletRow): Promise<ReadWallet> {
    let before = await this.solid.before();
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { rate, ...reading } = await this.ask(wallet);
      const after = await this.solid.after(attempt > ATTEMPTS_TOGETHER ? 0 : undefined);
      if (before.id === after.id) {
        await this.reservations.observe({ ...reading, block: after.number });
        return { rate, block: after.number };
      }
      before = after;
    }
    throw new WalletUnreadableError(new Error('solid blocks come faster than a reading takes'));
  }

  private async ask(wallet: WalletRow): Promise<Omit<WalletReading, 'block'> & Pick<ReadWallet, 'rate'>> {
    try {
      const [delegableSun, balances, resources] = await Promise.all([
        wallet.role === 'delegate' ? this.reads.delegableSun(wallet.address) : 0n,
        this.reads.balances(wallet.address),
        this.reads.resources(wallet.address),
      ]);
      const { rate, ...bandwidths } = resources ?? { rate: null, bandwidth: 0n, freeBandwidth: 0n };
      return { walletId: wallet.id, delegableSun, ...balances, ...bandwidths, rate };
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error;
      // Throws when it is not the wallet.
      await this.solid.after();
      throw new WalletUnreadableError(error);
    }
  }
}
