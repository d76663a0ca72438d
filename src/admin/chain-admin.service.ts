import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { ChainFaultRepository } from '../chain/verified-chain/faults/chain-fault.repository';
import { ChainStart } from '../chain/verified-chain/chain-start';
import { ChainIdentityRepository } from '../chain/tron/node/chain-identity.repository';
import type { BlockId } from '../chain/proof/block-header';
import { AcceptedBlockRepository, type AcceptedBlockRow } from '../chain/observer/unproved/accepted-block.repository';
import { OfferedBlocks } from '../chain/observer/unproved/offered-blocks';
import { type StoredWitnesses, WitnessSetRepository } from '../chain/verified-chain/witnesses/witness-set.repository';
import { UndoneDeposits } from '../deposits/undone-deposits';
import { DomainError } from '../common/errors/domain.error';

/** What operators decide about the chain where signatures cannot, each act in one transaction with its entry in the audit log. */
@Injectable()
export class ChainAdminService {
  constructor(
    private readonly witnesses: WitnessSetRepository,
    private readonly identity: ChainIdentityRepository,
    private readonly starts: ChainStart,
    private readonly faults: ChainFaultRepository,
    private readonly offered: OfferedBlocks,
    private readonly accepted: AcceptedBlockRepository,
    private readonly deposits: UndoneDeposits,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * Every instance judges by the offered set from its next block on. Only by the set that the operator has seen: nodes may offer another
   * one by now.
   * @throws DomainError
   */
  acceptWitnesses(digest: string, operator: Operator): Promise<StoredWitnesses> {
    return this.auditLog.record(
      operator,
      { action: 'witnesses.accept', subject: 'chain', asked: { digest } },
      async (tx) => {
        const before = await this.witnesses.find(tx);
        if (!before?.digest) throw new DomainError('witnesses.none-offered');
        const result = await this.witnesses.accept(digest.toLowerCase(), tx);
        if (!result) throw new DomainError('witnesses.other-offered', { digest: before.digest });
        await this.faults.clear(['witnesses_disagree', 'witnesses_changed'], tx);
        return { result, before: { witnesses: before.witnesses }, after: { witnesses: result.witnesses } };
      },
    );
  }

  /**
   * Every instance starts again with the longest branch that the nodes offer, and deposits are looked for in it from the last block on that
   * it shares with the undone one. What was credited stays credited, and the audit log names it. Only when it has the block that the operator has seen in the
   * finding: the nodes may offer another one by now.
   * @throws DomainError, NodeUnavailableError
   */
  async acceptBranch(blockId: string, operator: Operator): Promise<{ final: BlockId; replaced: BlockId }> {
    const replaced = await this.identity.findFinal();
    const branch = await this.starts.undoing(replaced);
    const isTheOne = branch !== null && (await branch.has(blockId.toLowerCase()));
    const shared = branch && isTheOne ? await this.deposits.findShared(branch) : null;
    const act = { action: 'chain.accept-branch', subject: 'chain', asked: { block_id: blockId } };
    return this.auditLog.record(operator, act, async (tx) => {
      if (!branch || !replaced) throw new DomainError('chain.no-branch-refused');
      const { final } = branch;
      // What was compared is what is replaced, whatever instances and other operators have written since.
      const isTaken = isTheOne && (await this.identity.acceptFinal(final, replaced, tx));
      if (!isTaken) throw new DomainError('chain.other-branch', { id: final.id });
      await this.witnesses.beginAnew(tx);
      await this.faults.clear(['branch_refused'], tx);
      const [before, after] = [replaced, final].map(({ number, id }) => ({ final_number: number, final_id: id }));
      const undone = await this.deposits.goBackTo(shared, tx);
      const result = { final, replaced: { number: replaced.number, id: replaced.id } };
      return { result, before, after: { ...after, ...undone } };
    });
  }

  /**
   * What nodes list for this block counts as its transactions, without a proof and without what is lent being asked. Only of a final block that
   * cannot be proved, and only as it is listed now.
   * @throws DomainError, NodeUnavailableError
   */
  async acceptBlock(number: number, operator: Operator): Promise<AcceptedBlockRow & { readonly transactions: number }> {
    const offered = await this.offered.at(number);
    return this.auditLog.record(operator, { action: 'chain.accept-block', subject: 'chain' }, async (tx) => {
      if ('refused' in offered) throw new DomainError(`chain.block-${offered.refused}`, { number });
      const { header, listing } = offered;
      const before = await this.accepted.find(number, tx);
      await this.accepted.accept(number, header.id, listing.digest, tx);
      const result = (await this.accepted.find(number, tx))!;
      const after = { number, id: header.id, digest: listing.digest, transactions: [...listing.owners.keys()] };
      return {
        result: { ...result, transactions: listing.owners.size },
        before: { accepted_by: before?.accepted_by ?? null },
        after,
      };
    });
  }
}
