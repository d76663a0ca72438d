import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { ChainFaultRepository } from '../chain/faults/chain-fault.repository';
import { ChainStart } from '../chain/follower/chain-start';
import { ChainIdentityRepository, type FinalBlock } from '../chain/node/chain-identity.repository';
import { type StoredWitnesses, WitnessSetRepository } from '../chain/witnesses/witness-set.repository';
import { DomainError } from '../common/errors/domain.error';

/** What operators decide about the chain where signatures cannot, each act in one transaction with its entry in the audit log. */
@Injectable()
export class ChainAdminService {
  constructor(
    private readonly witnesses: WitnessSetRepository,
    private readonly identity: ChainIdentityRepository,
    private readonly starts: ChainStart,
    private readonly faults: ChainFaultRepository,
    private readonly auditLog: AuditLog,
  ) {}

  /** Every instance judges by the offered set from its next block on. */
  acceptWitnesses(operator: Operator): Promise<StoredWitnesses> {
    return this.auditLog.record(operator, { action: 'witnesses.accept', subject: 'chain' }, async (tx) => {
      const before = await this.witnesses.find(tx);
      const result = await this.witnesses.accept(tx);
      if (!result) throw new DomainError('witnesses.none-offered');
      await this.faults.clear(['witnesses_disagree', 'witnesses_changed'], tx);
      return { result, before: { witnesses: before?.witnesses ?? [] }, after: { witnesses: result.witnesses } };
    });
  }

  /** Every instance begins anew with the longest branch that the nodes offer. @throws NodeUnavailableError */
  async acceptBranch(operator: Operator): Promise<{ final: FinalBlock; replaced: FinalBlock }> {
    const final = await this.starts.undoing(await this.identity.findFinal());
    return this.auditLog.record(operator, { action: 'chain.accept-branch', subject: 'chain' }, async (tx) => {
      const replaced = await this.identity.findFinal(tx);
      if (!final || !replaced) throw new DomainError('chain.no-branch-refused');
      await this.identity.acceptFinal(final, tx);
      await this.faults.clear(['branch_refused'], tx);
      const [before, after] = [replaced, final].map(({ number, id }) => ({ final_number: number, final_id: id }));
      return { result: { final, replaced }, before, after };
    });
  }
}
