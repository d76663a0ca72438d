import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import { Capacity } from '../chain/pool/wallets/capacity';
import { StakeReads } from '../chain/tron/node/stake-reads';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { checkKeySource } from '../chain/transactions/signing/key-source';
import { DomainError } from '../common/errors/domain.error';
import { SUN_PER_TRX } from '../common/money/sun';
import { ripe } from '../stake-care/look-at-stake';
import { CareRepository, type CareRow, type CareSettings } from '../stake-care/care.repository';
import { CarryOut } from '../stake-care/carry-out';
import { asVotes, sharePower } from '../stake-care/decide-votes';
import { OperationRepository } from '../stake-care/operation.repository';
import { PlanOperation, type WantedOperation } from '../stake-care/plan-operation';
import type { OperationRow, ResourceName } from '../stake-care/stake-operation';
import { StakeOverview } from '../stake-care/stake-overview';

/** Left out as TRX for fees unless an operator says otherwise. */
const KEPT_LIQUID_SUN = 1_000n * SUN_PER_TRX;

/** An unfreezing, how many more may wait beside it, and when its TRX come. */
export interface PlannedUnfreezing {
  readonly operation: OperationRow;
  readonly slotsLeft: bigint;
  readonly availableAt: Date;
  /** With it the wallet loses all its votes, and nothing is left to vote with. */
  readonly endsVotes: boolean;
}

/** How stakes are cared for, and what is done with them by hand, each act with its entry in the audit log. */
@Injectable()
export class StakeAdminService {
  constructor(
    private readonly pool: PoolWallets,
    private readonly capacity: Capacity,
    private readonly cares: CareRepository,
    private readonly operations: OperationRepository,
    private readonly overview: StakeOverview,
    private readonly reads: StakeReads,
    private readonly references: ReferenceBlocks,
    private readonly planOperation: PlanOperation,
    private readonly carryOut: CarryOut,
    private readonly auditLog: AuditLog,
  ) {}

  /** A setting that is left out stays as it is. @throws DomainError */
  setCare(operator: Operator, name: string, change: Partial<CareSettings>): Promise<CareRow> {
    const { keySource, ...asked } = change;
    if (keySource !== undefined) checkKeySource(keySource);
    const act = { action: 'stake.care', subject: `wallet ${name}`, asked: factsOf(asked) };
    return this.auditLog.record(operator, act, async (tx) => {
      const { id, role } = await this.pool.lock(name, tx);
      if (role !== 'delegate') throw new DomainError('stake.not-lending', { name });
      const before = await this.cares.find(id, tx);
      const settings = { ...(before ? settingsOf(before) : DEFAULTS), ...given(change) };
      const { keySource: source, permissionId } = settings;
      if (source === undefined || permissionId === undefined) throw new DomainError('stake.key-missing', { name });
      await this.cares.set(id, { ...settings, keySource: source, permissionId }, tx);
      const isMoved = source !== before?.key_source;
      return {
        result: (await this.cares.find(id, tx))!,
        before: before ? factsOf(settingsOf(before)) : {},
        after: { ...factsOf(settings), ...(isMoved && { key_source: 'changed' }) },
      };
    });
  }

  /** @throws DomainError */
  endCare(operator: Operator, name: string): Promise<void> {
    const act = { action: 'stake.care', subject: `wallet ${name}`, asked: { off: true } };
    return this.auditLog.record(operator, act, async (tx) => {
      const { id } = await this.pool.lock(name, tx);
      const before = await this.cares.find(id, tx);
      await this.cares.remove(id, tx);
      return { result: undefined, before: before ? factsOf(settingsOf(before)) : {} };
    });
  }

  /** What the form with this key has begun. */
  begunBy(key: string): Promise<OperationRow | null> {
    return this.operations.find(key);
  }

  /** All of the power, by the weights of the care. @throws DomainError, NodeUnavailableError */
  async vote(operator: Operator, name: string, id?: string): Promise<OperationRow> {
    const wallet = await this.overview.find(name);
    const care = await this.cares.find(wallet.id);
    if (!care) throw new DomainError('stake.no-care', { name });
    if (care.votes.length === 0) throw new DomainError('stake.votes-missing', { name });
    const { power } = await this.overview.read(wallet);
    if (power === 0n) throw new DomainError('stake.no-power', { name });
    const votes = asVotes(sharePower(power, care.votes));
    return this.begin(operator, { id, name, kind: 'vote', amountSun: power * SUN_PER_TRX, votes });
  }

  async claim(operator: Operator, name: string, id?: string): Promise<OperationRow> {
    const { rewardSun } = await this.overview.read(await this.overview.find(name));
    return this.begin(operator, { id, name, kind: 'claim', amountSun: rewardSun });
  }

  async freeze(
    operator: Operator,
    name: string,
    amountSun: bigint,
    resource: ResourceName,
    id?: string,
  ): Promise<OperationRow> {
    await this.overview.find(name);
    return this.begin(operator, { id, name, kind: 'freeze', amountSun, resource });
  }

  /** Takes what is neither lent nor promised to orders, by a reading of now. @throws DomainError, NodeUnavailableError */
  async unfreeze(
    operator: Operator,
    name: string,
    amountSun: bigint,
    resource: ResourceName,
    id?: string,
  ): Promise<PlannedUnfreezing> {
    const { address } = await this.overview.find(name);
    const slots = await this.reads.unfreezeSlots(address);
    if (slots === 0n) throw new DomainError('stake.no-slots', { name });
    await this.capacity.refresh();
    const expected = await this.overview.unfreezing();
    const operation = await this.begin(operator, { id, name, kind: 'unfreeze', amountSun, resource });
    return { operation, slotsLeft: slots - 1n, ...expected };
  }

  async withdraw(operator: Operator, name: string, id?: string): Promise<OperationRow> {
    const view = await this.overview.read(await this.overview.find(name));
    const amountSun = ripe(view, await this.references.headTimeMs());
    return this.begin(operator, { id, name, kind: 'withdraw', amountSun });
  }

  async cancelUnfreeze(operator: Operator, name: string, id?: string): Promise<OperationRow> {
    const { unfreezing } = await this.overview.read(await this.overview.find(name));
    const atMs = await this.references.headTimeMs();
    // The network pays out what is ripe with it, and stakes the rest again.
    const amountSun = unfreezing.reduce((sum, { sun, availableMs }) => (availableMs > atMs ? sum + sun : sum), 0n);
    return this.begin(operator, { id, name, kind: 'cancel-unfreeze', amountSun });
  }

  /** Planned, and sent where this process has the key; else a running instance sends it. */
  private async begin(operator: Operator, wanted: WantedOperation): Promise<OperationRow> {
    const operation = await this.planOperation.plan(operator, wanted);
    await this.carryOut.carryOutHere(operation);
    return (await this.operations.find(operation.id))!;
  }
}

const DEFAULTS: Omit<CareSettings, 'keySource' | 'permissionId'> & Partial<CareSettings> = {
  votes: [],
  claims: true,
  restakes: false,
  keepLiquidSun: KEPT_LIQUID_SUN,
};

function settingsOf(care: CareRow): CareSettings {
  const { key_source: keySource, permission_id: permissionId, votes, claims, restakes } = care;
  return { keySource, permissionId, votes, claims, restakes, keepLiquidSun: care.keep_liquid_sun };
}

function given<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;
}

/** For the log, in which the place of a key has no business. */
function factsOf({ permissionId, votes, claims, restakes, keepLiquidSun }: Partial<CareSettings>) {
  return given({
    permission_id: permissionId,
    vote: votes,
    claim: claims,
    restake: restakes,
    keep_liquid_sun: keepLiquidSun?.toString(),
  });
}
