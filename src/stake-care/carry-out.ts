import { Injectable, Logger } from '@nestjs/common';
import { BlockFollower } from '../chain/observer/block-follower';
import { KeyPower } from '../chain/pool/doctor/key-power';
import { keyOwner } from '../chain/pool/wallets/wallet-row';
import { Outbox } from '../chain/transactions/outbox/outbox';
import { SigningKeyError, SigningKeys } from '../chain/transactions/signing/signing-keys';
import { SigningRefusedError } from '../chain/transactions/signing/transaction-signer';
import { TransactionBuilder } from '../chain/transactions/signing/transaction-builder';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { describeError } from '../common/errors/describe-error';
import { Sql } from '../database/sql';
import { refusalText } from '../findings/wallet-refusals';
import { CareRepository, type CareRow } from './care.repository';
import { OperationRepository } from './operation.repository';
import type { OperationRow } from './stake-operation';
import { transactionOf } from './transaction-kinds';

const LEASE_MS = 30_000;
const NO_CARE = 'the care of its wallet was switched off before it was signed';

/** Signs planned operations, commits their bytes, then sends them. What a node refuses is not sent again. */
@Injectable()
export class CarryOut {
  private readonly logger = new Logger(CarryOut.name);

  constructor(
    private readonly sql: Sql,
    private readonly cares: CareRepository,
    private readonly operations: OperationRepository,
    private readonly references: ReferenceBlocks,
    private readonly keys: SigningKeys,
    private readonly power: KeyPower,
    private readonly builder: TransactionBuilder,
    private readonly outbox: Outbox,
    private readonly follower: BlockFollower,
  ) {
    power.judgeToo(() => cares.list());
  }

  /** What a process has planned and left: it has ended, or has no key. One that fails keeps no other from being carried out. */
  async goOn(): Promise<void> {
    await this.operations.failLate();
    for (const operation of await this.operations.claimPlanned(LEASE_MS)) await this.carryOutHere(operation);
  }

  /** Where this process has the wallet's key; else it is left to one that does. */
  async carryOutHere(operation: OperationRow): Promise<void> {
    const care = await this.cares.find(operation.wallet_id);
    if (care && this.keys.faultOf(keyOwner(care)) !== null) return this.operations.release(operation.id);
    await this.carryOut(operation);
  }

  /** Never throws: one that cannot be signed now stays planned, and is tried again for ten minutes. */
  async carryOut(operation: OperationRow): Promise<void> {
    try {
      const care = await this.cares.find(operation.wallet_id);
      if (!care) return await this.operations.failPlanned(operation.id, NO_CARE);
      await this.sign(operation, care);
    } catch (error) {
      await this.failed(operation, error);
    }
  }

  private async sign(operation: OperationRow, care: CareRow): Promise<void> {
    await this.power.judgeIfAsked(care);
    const { kind, values } = transactionOf(operation);
    const reference = await this.references.final();
    const signed = await this.builder.sign(keyOwner(care), kind, values, reference);
    const { id, wallet_id: walletId } = operation;
    const isSaved = await this.sql.transaction(async (tx) => {
      // Another process may have signed it too, or the care has another key by now: no node has seen these bytes.
      if (!(await this.operations.signed(tx, id, signed.txId, care))) return false;
      await this.outbox.save(tx, { kind, subjectId: id, walletId, values, signed });
      return true;
    });
    if (!isSaved) return;
    this.follower.wake();
    const { outcome, confirmed } = await this.outbox.send(signed);
    if (outcome.kind === 'accepted') await this.operations.sent(id);
    // By the word of one node of several, it goes on being sent until it expires.
    if (confirmed) await this.refused(operation, refusalText(confirmed));
  }

  /** The wallet goes on lending: its own key signs that, and has not been refused. */
  private async refused({ id, wallet, kind }: OperationRow, reason: string): Promise<void> {
    this.logger.error({ wallet, operation: id }, `A ${kind} of ${wallet} was refused: ${reason}`);
    await this.operations.refused(id, reason);
  }

  private async failed({ id, wallet, kind }: OperationRow, error: unknown): Promise<void> {
    const reason = describeError(error);
    this.logger.error({ wallet, operation: id, err: error }, `A ${kind} of ${wallet} could not be carried out`);
    const isOfKey = error instanceof SigningKeyError && !error.isPassing;
    const isForGood = isOfKey || error instanceof SigningRefusedError;
    const note = isForGood ? this.operations.failPlanned(id, reason) : this.operations.noteError(id, reason);
    await note.catch((cause: unknown) => this.logger.error({ err: cause }, 'That was not noted'));
  }
}
