import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import { Reservations } from '../chain/pool/wallets/reservations';
import { transactionsPaid } from '../chain/pool/wallets/fees';
import { DomainError } from '../common/errors/domain.error';
import { SUN_PER_TRX } from '../common/money/sun';
import type { SqlTransaction } from '../database/sql';
import { CareRepository } from './care.repository';
import { OperationRepository } from './operation.repository';
import type { OperationKind, OperationRow, ResourceName, Votes } from './stake-operation';

export interface WantedOperation {
  /** The wallet's name. */
  readonly name: string;
  readonly kind: OperationKind;
  readonly resource?: ResourceName;
  readonly amountSun?: bigint;
  readonly votes?: Votes;
  /** Why the care wants it; an operator's has none. */
  readonly occasion?: string;
}

/** For so long other processes leave it to the one that has planned it. */
const LEASE_MS = 20_000;

/** Commits that an operation is wanted, with its entry in the audit log, before any bytes of it exist. */
@Injectable()
export class PlanOperation {
  constructor(
    private readonly pool: PoolWallets,
    private readonly cares: CareRepository,
    private readonly operations: OperationRepository,
    private readonly reservations: Reservations,
    private readonly auditLog: AuditLog,
  ) {}

  /** @throws DomainError where it cannot be, or another one of its kind is open */
  plan(operator: Operator, wanted: WantedOperation): Promise<OperationRow> {
    const { name, kind, resource = null, amountSun = null, votes = null, occasion = null } = wanted;
    const asked = {
      ...(resource !== null && { resource }),
      ...(amountSun !== null && { amount_sun: amountSun.toString() }),
      ...(votes !== null && { votes }),
      ...(occasion !== null && { occasion }),
    };
    return this.auditLog.record(operator, { action: `stake.${kind}`, subject: `wallet ${name}`, asked }, async (tx) => {
      const { id: walletId } = await this.pool.lock(name, tx);
      if ((await this.cares.find(walletId, tx)) === null) throw new DomainError('stake.no-care', { name });
      if ((kind === 'freeze' || kind === 'unfreeze') && amountSun! < SUN_PER_TRX)
        throw new DomainError('stake.too-little');
      if (kind === 'unfreeze' && resource === 'energy') {
        const freeSun = await this.reservations.takeFromOrders(tx, walletId, amountSun!);
        if (freeSun !== null) throw new DomainError('stake.not-free', { name, freeSun });
      }
      await this.checkReclaimsPaid(tx, name, walletId, wanted);
      const id = uuidv7();
      const requestedBy = operator.service ?? operator.address;
      const operation = { id, walletId, kind, resource, amountSun, votes, occasion, requestedBy, actorId: operator.id };
      const isPlanned = await this.operations.plan(tx, operation, LEASE_MS);
      if (!isPlanned) throw new DomainError('stake.under-way', { name, kind });
      return { result: (await this.operations.find(id, tx))!, after: { ...asked, operation: id } };
    });
  }

  /** What its open orders have promised to the network stays: the bytes of their reclaims. Under the wallet's lock none is added. */
  private async checkReclaimsPaid(
    tx: SqlTransaction,
    name: string,
    walletId: string,
    { kind, resource, amountSun }: WantedOperation,
  ): Promise<void> {
    const isUnfreezing = kind === 'unfreeze' && resource === 'bandwidth';
    if (kind !== 'freeze' && !isUnfreezing) return;
    const wallet = await this.pool.get(walletId, tx);
    const left = isUnfreezing
      ? // Which part of the bytes goes with it, the network's totals alone say.
        { ...wallet, bandwidth: wallet.free_bandwidth }
      : { ...wallet, balance_sun: wallet.balance_sun - amountSun! };
    const { transactions_due: due } = wallet;
    if (due > 0n && transactionsPaid(left) < due) throw new DomainError('stake.reclaims-unpaid', { name, due });
  }
}
