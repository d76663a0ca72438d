import { Injectable } from '@nestjs/common';
import { Outbox } from '../../chain/transactions/outbox/outbox';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import type { SignedTransaction } from '../../chain/tron/node/signed-transaction';
import { TransactionBuilder } from '../../chain/transactions/signing/transaction-builder';
import { WalletRests } from '../../chain/pool/wallets/wallet-rests';
import { keyOwner, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import { Sql } from '../../database/sql';
import { RECLAIM, stakeOf } from '../transaction-kinds';
import { DelegatedStakeVerifier, type VerifiedStake } from './delegated-stake.verifier';
import { ReclaimRepository } from './reclaim.repository';
import type { DueOrder } from './reclaim.statements';

/** Commits the signed reclaim of an order that is claimed. */
@Injectable()
export class SignReclaim {
  constructor(
    private readonly sql: Sql,
    private readonly verifier: DelegatedStakeVerifier,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly builder: TransactionBuilder,
    private readonly outbox: Outbox,
    private readonly rests: WalletRests,
    private readonly reclaims: ReclaimRepository,
  ) {}

  /**
   * Signed first, and given up where it may not be saved: no node knows its bytes. A new one is saved only while no other of the order
   * could land: a unique index holds that too. Null when the claim has ended or no reclaim may begin now, `moved` when another order of the
   * pair was faster. `verified`: how much of a stake is there that a node has not found in full.
   */
  async sign(
    order: DueOrder,
    wallet: WalletRow,
    stakeSun: bigint,
    verified: VerifiedStake | undefined,
  ): Promise<SignedTransaction | 'rests' | 'moved' | null> {
    const reference = await this.referenceBlocks.final();
    const values = stakeOf(order.receiver, stakeSun);
    const signed = await this.builder.sign(keyOwner(wallet), RECLAIM, values, reference);
    return this.sql.transaction(async (tx) => {
      if (verified && !(await this.verifier.isUnchanged(tx, order, verified))) return 'moved';
      if (!(await this.rests.mayReclaim(tx, wallet, order.id))) return 'rests';
      const comparedBlock = verified?.comparedBlock ?? null;
      const rememberedNumber = this.referenceBlocks.rememberedNumber();
      const { headTimeMs } = reference;
      const shortageSun = order.stake_sun - stakeSun;
      const takenBy = verified?.takenBy ?? [];
      const begun = { shortageSun, headTimeMs, rememberedNumber, comparedBlock, takenBy };
      if (!(await this.reclaims.begin(tx, order, begun))) return null;
      if (comparedBlock !== null && shortageSun === 0n) {
        await this.reclaims.noteVerified(tx, order, comparedBlock, signed.txId);
      }
      await this.outbox.save(tx, { kind: RECLAIM, subjectId: order.id, walletId: wallet.id, values, signed });
      return signed;
    });
  }
}
