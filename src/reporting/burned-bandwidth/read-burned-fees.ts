import { Injectable } from '@nestjs/common';
import { BurnedFees } from '../../chain/tron/node/burned-fees';
import { withCallPriority } from '../../chain/tron/node/call-priority';
import { NodeUnavailableError } from '../../chain/tron/node/node-errors';
import { Shutdown } from '../../common/shutdown';
import { ACTIVATION } from '../../delegation/transaction-kinds';
import { BurnedBandwidthRepository, type BurnedSum, type DueTransaction } from './burned-bandwidth.repository';

const BATCH = 100;

/**
 * Asks once about each of our final transactions what it burned for its bytes, and adds that to its wallet's day. The answer is a node's
 * word: it decides nothing about an order or money, and is for reports alone. Where no node answers, the question is repeated until the
 * transaction is a day old, and the transaction counts as unread then. No question is needed where the wallet's own reading shows that its
 * stake has paid. Activations are left out: reports have the whole fee of each.
 */
@Injectable()
export class ReadBurnedFees {
  constructor(
    private readonly fees: BurnedFees,
    private readonly repository: BurnedBandwidthRepository,
    private readonly shutdown: Shutdown,
  ) {}

  /** Goes on until nothing is due. Returns how many transactions it has passed. */
  run(): Promise<number> {
    return withCallPriority('audit', () => this.readAll());
  }

  private async readAll(): Promise<number> {
    let mark = await this.repository.claim();
    let passed = 0;
    while (mark !== null && !this.shutdown.signal.aborted) {
      const due = await this.repository.due(mark, BATCH);
      const { sums, count } = await this.read(due);
      const next: bigint = due[count - 1]?.id ?? mark;
      if (count > 0 && !(await this.repository.add(mark, next, sums))) return passed;
      passed += count;
      mark = next;
      if (count === BATCH) continue;
      await this.repository.release(mark);
      return passed;
    }
    return passed;
  }

  /** The sums of the first of them, up to one that has to be waited for. */
  private async read(due: readonly DueTransaction[]): Promise<{ sums: BurnedSum[]; count: number }> {
    const sums = new Map<string, BurnedSum>();
    let count = 0;
    for (const row of due) {
      if (this.shutdown.signal.aborted || row.is_young || (row.is_open && !row.is_old)) break;
      if (row.is_final && row.purpose !== ACTIVATION.name) {
        const burnedSun = row.was_staked ? 0n : await this.burnedBy(row);
        if (burnedSun === null && !row.is_old) break;
        add(sums, row, burnedSun);
      }
      count += 1;
    }
    return { sums: [...sums.values()], count };
  }

  private burnedBy({ tx_id: txId, block_number: number }: DueTransaction): Promise<bigint | null> {
    return this.fees.ofBytes(txId, Number(number)).catch((error: unknown) => {
      if (error instanceof NodeUnavailableError) return null;
      throw error;
    });
  }
}

function add(sums: Map<string, BurnedSum>, row: DueTransaction, burnedSun: bigint | null): void {
  const day = new Date(Number(row.block_time_ms)).toISOString().slice(0, 10);
  const key = `${day} ${row.wallet_id}`;
  const before = sums.get(key);
  sums.set(key, {
    day,
    wallet_id: row.wallet_id,
    transactions: (before?.transactions ?? 0) + (burnedSun === null ? 0 : 1),
    burning: (before?.burning ?? 0) + ((burnedSun ?? 0n) > 0n ? 1 : 0),
    burned_sun: (before?.burned_sun ?? 0n) + (burnedSun ?? 0n),
    unread: (before?.unread ?? 0) + (burnedSun === null ? 1 : 0),
  });
}
