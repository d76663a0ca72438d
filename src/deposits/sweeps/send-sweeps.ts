import { Injectable, Logger } from '@nestjs/common';
import { BlockFollower } from '../../chain/observer/block-follower';
import { toBase58Address } from '../../chain/tron/addresses';
import { withCallPriority } from '../../chain/tron/node/call-priority';
import { ChainReads } from '../../chain/tron/node/chain-reads';
import { signedOfRow } from '../../chain/transactions/outbox/outbox-row';
import { Outbox } from '../../chain/transactions/outbox/outbox';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { describeError } from '../../common/errors/describe-error';
import { Shutdown } from '../../common/shutdown';
import { Sql } from '../../database/sql';
import { refusalText } from '../../findings/wallet-refusals';
import { readSweep } from './sweep-bytes';
import { CLAIM_DUE, DEFER, REFUSED, SENT, type SignedSweep } from './sweep.statements';
import { DEPOSIT_SWEEP, SWEEP_TRX } from './transaction-kinds';

/** An address recovers all of its free bandwidth within a day. */
const RECOVERY_LOOK_MS = 600_000;
const FAILED_LOOK_MS = 60_000;

/** Sends signed sweeps: first their bytes are in the outbox, with the new state of the row, then a node gets them. */
@Injectable()
export class SendSweeps {
  private readonly logger = new Logger(SendSweeps.name);

  constructor(
    private readonly sql: Sql,
    private readonly references: ReferenceBlocks,
    private readonly reads: ChainReads,
    private readonly outbox: Outbox,
    private readonly follower: BlockFollower,
    private readonly shutdown: Shutdown,
  ) {}

  /** All that are due, each by the instance that has claimed it. One that fails keeps no other. @throws NodeUnavailableError */
  async run(): Promise<void> {
    await withCallPriority('resends', () => this.runAll());
  }

  private async runAll(): Promise<void> {
    const headTimeMs = await this.references.headTimeMs();
    while (!this.shutdown.signal.aborted) {
      const due = await this.sql.rows(CLAIM_DUE, [headTimeMs]);
      if (due.length === 0) return;
      await forEachConcurrently(due, (sweep) => this.sendOrDefer(sweep));
    }
  }

  private async sendOrDefer(sweep: SignedSweep): Promise<void> {
    try {
      const lack = await this.lackOf(sweep);
      if (lack === null) await this.send(sweep);
      else await this.sql.execute(DEFER, [sweep.id, lack, RECOVERY_LOOK_MS]);
    } catch (error) {
      this.logger.warn({ err: error, sweep: sweep.id }, 'A sweep was not sent; a later run tries again');
      await this.sql.execute(DEFER, [sweep.id, describeError(error), FAILED_LOOK_MS]);
    }
  }

  /** All TRX go, so none is left to burn for bytes: without the bandwidth the network would refuse them. */
  private async lackOf({ address, bytes }: SignedSweep): Promise<string | null> {
    const shown = await this.reads.resources(address);
    const free = shown.reduce((most, { freeBandwidth }) => (freeBandwidth > most ? freeBandwidth : most), 0n);
    return free >= BigInt(bytes) ? null : `it waits for bandwidth of its address: ${free} of ${bytes} bytes are free`;
  }

  private async send(sweep: SignedSweep): Promise<void> {
    const kind = SWEEP_TRX;
    const signed = signedOfRow({ ...sweep, purpose: kind.name }, kind.contract);
    const raw = readSweep(sweep.raw_data_hex);
    if (typeof raw === 'string') throw new Error(raw);
    const values = { to_address: toBase58Address(raw.values['to_address'] as string), amount: sweep.amount };
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
