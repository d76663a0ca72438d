import { Injectable, Logger } from '@nestjs/common';
import { BlockFollower } from '../../chain/observer/block-follower';
import { toBase58Address } from '../../chain/tron/addresses';
import { withCallPriority } from '../../chain/tron/node/call-priority';
import { ChainReads } from '../../chain/tron/node/chain-reads';
import type { ContractValues } from '../../chain/transactions/kinds/contract';
import { signedOfRow } from '../../chain/transactions/outbox/outbox-row';
import { Outbox } from '../../chain/transactions/outbox/outbox';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { describeError } from '../../common/errors/describe-error';
import { Shutdown } from '../../common/shutdown';
import { Sql } from '../../database/sql';
import { refusalText } from '../../findings/wallet-refusals';
import { readSweep, type SweepBytes } from './sweep-bytes';
import { SweepEnergy } from './sweep-energy';
import { CLAIM_DUE, DEFER, FIND_DUE, REFUSED, SENT, type SignedSweep } from './sweep.statements';
import { DEPOSIT_SWEEP, SWEEP_KINDS } from './transaction-kinds';

/** An address recovers all of its free bandwidth within a day. */
const RECOVERY_LOOK_MS = 600_000;
const FAILED_LOOK_MS = 60_000;
/** Delegated energy is there with the next blocks. */
const ENERGY_LOOK_MS = 6_000;

/**
 * While nodes are slow, what a run has deferred is due again before its last one is looked at. It belongs to the next run: judging, taking energy
 * back and expiring come between.
 */
const [MOST_A_RUN, MOST_A_CLAIM] = [400, 40];

interface Lack {
  readonly why: string;
  readonly waitMs: number;
}

/** Sends signed sweeps: first their bytes are in the outbox, with the new state of the row, then a node gets them. */
@Injectable()
export class SendSweeps {
  private readonly logger = new Logger(SendSweeps.name);

  constructor(
    private readonly sql: Sql,
    private readonly references: ReferenceBlocks,
    private readonly reads: ChainReads,
    private readonly outbox: Outbox,
    private readonly energy: SweepEnergy,
    private readonly follower: BlockFollower,
    private readonly shutdown: Shutdown,
  ) {}

  /** Sends those that are due by now, each by the instance that has claimed it. One that fails keeps no other. @throws NodeUnavailableError */
  async run(): Promise<void> {
    await withCallPriority('resends', () => this.runAll());
  }

  private async runAll(): Promise<void> {
    const due = await this.sql.rows(FIND_DUE, [await this.references.headTimeMs(), MOST_A_RUN]);
    for (let at = 0; at < due.length && !this.shutdown.signal.aborted; at += MOST_A_CLAIM) {
      const ids = due.slice(at, at + MOST_A_CLAIM).map(({ id }) => id);
      // The time of this moment: a claim may come long after the first one.
      const claimed = await this.sql.rows(CLAIM_DUE, [await this.references.headTimeMs(), ids]);
      await forEachConcurrently(claimed, (sweep) => this.sendOrDefer(sweep));
    }
  }

  private async sendOrDefer(sweep: SignedSweep): Promise<void> {
    try {
      const lack = await this.lackOf(sweep);
      if (lack === null) await this.send(sweep);
      else await this.sql.execute(DEFER, [sweep.id, lack.why, lack.waitMs]);
    } catch (error) {
      this.logger.warn({ err: error, sweep: sweep.id }, 'A sweep was not sent; a later run tries again');
      await this.sql.execute(DEFER, [sweep.id, describeError(error), FAILED_LOOK_MS]);
    }
  }

  /** All TRX go, so none is left to burn for bytes: without the bandwidth the network would refuse them. */
  private async lackOf(sweep: SignedSweep): Promise<Lack | null> {
    const { address, asset, bytes } = sweep;
    const shown = await this.reads.resources(address);
    const free = shown.reduce((most, { freeBandwidth }) => (freeBandwidth > most ? freeBandwidth : most), 0n);
    // An address that holds only USDT has no account before it is activated, and all of its bandwidth then.
    const isNew = shown.length === 0 && asset === 'USDT';
    if (free < BigInt(bytes) && !isNew) {
      const why = `it waits for bandwidth of its address: ${free} of ${bytes} bytes are free`;
      return { why, waitMs: RECOVERY_LOOK_MS };
    }
    if (asset === 'TRX') return null;
    const why = await this.energy.lackOf(sweep, toBase58Address(bytesOf(sweep).to));
    return why === null ? null : { why, waitMs: ENERGY_LOOK_MS };
  }

  private async send(sweep: SignedSweep): Promise<void> {
    const kind = SWEEP_KINDS[sweep.asset];
    const signed = signedOfRow({ ...sweep, purpose: kind.name }, kind.contract);
    const { to, token } = bytesOf(sweep);
    // The row of a sweep of USDT has no receiver and no amount of its own: what it moves are no sun.
    const values: ContractValues = token === null ? { to_address: toBase58Address(to), amount: sweep.amount } : {};
    const isSaved = await this.sql.transaction(async (tx) => {
      // Another process may have claimed it too: the first one saves, and sends.
      if ((await tx.execute(SENT, [sweep.id])) === 0) return false;
      await this.outbox.save(tx, { kind, subjectId: sweep.id, walletId: null, values, signed });
      return true;
    });
    if (!isSaved) return;
    this.follower.wake();
    const { confirmed } = await this.outbox.send(signed);
    // By the word of one node of several, it goes on being sent until it expires.
    if (confirmed) await this.refused(sweep, refusalText(confirmed));
  }

  private async refused({ id, address }: SignedSweep, reason: string): Promise<void> {
    this.logger.error({ sweep: id, address, subject: DEPOSIT_SWEEP }, `A sweep of ${address} was refused: ${reason}`);
    await this.sql.execute(REFUSED, [id, reason]);
  }
}

function bytesOf({ raw_data_hex: hex, asset }: SignedSweep): SweepBytes {
  const bytes = readSweep(hex, asset);
  if (typeof bytes === 'string') throw new Error(bytes);
  return bytes;
}
