import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import { Reservations } from '../chain/pool/wallets/reservations';
import { transactionsPaid } from '../chain/pool/wallets/fees';
import { StakeReads } from '../chain/tron/node/stake-reads';
import { DomainError } from '../common/errors/domain.error';
import { SUN_PER_TRX } from '../common/money/sun';
import type { SqlTransaction } from '../database/sql';
import { CareRepository } from './care.repository';
import { OperationRepository } from './operation.repository';
import type { OperationKind, OperationRow, ResourceName, Votes } from './stake-operation';

export interface WantedOperation {
  /** The key of the form that asks for it, which begins one operation, however often it is sent. */
  readonly id?: string;
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

/** An operator's way out where little is left. The care begins them only where more is left (stake-care.ts). */
const BRINGS_TRX: readonly OperationKind[] = ['claim', 'withdraw'];

/** Commits that an operation is wanted, with its entry in the audit log, before any bytes of it exist. */
@Injectable()
export class PlanOperation {
  constructor(
    private readonly pool: PoolWallets,
    private readonly stake: StakeReads,
    private readonly cares: CareRepository,
    private readonly operations: OperationRepository,
    private readonly reservations: Reservations,
    private readonly auditLog: AuditLog,
  ) {}

  /** @throws DomainError where it cannot be, or another one of its kind is open; NodeUnavailableError */
  async plan(operator: Operator, wanted: WantedOperation): Promise<OperationRow> {
    const { id = uuidv7(), name, kind, resource = null, amountSun = null, votes = null, occasion = null } = wanted;
    const asked = {
      ...(resource !== null && { resource }),
      ...(amountSun !== null && { amount_sun: amountSun.toString() }),
      ...(votes !== null && { votes }),
      ...(occasion !== null && { occasion }),
    };
    const liquidSun = await this.liquidNow(wanted);
    return this.auditLog.record(operator, { action: `stake.${kind}`, subject: `wallet ${name}`, asked }, async (tx) => {
      const { id: walletId } = await this.pool.lock(name, tx);
      // Behind the wallet's lock: the first of two that are sent together has ended.
      if ((await this.operations.find(id, tx)) !== null) throw new DomainError('stake.asked-before');
      if ((await this.cares.find(walletId, tx)) === null) throw new DomainError('stake.no-care', { name });
      if ((kind === 'freeze' || kind === 'unfreeze') && amountSun! < SUN_PER_TRX)
        throw new DomainError('stake.too-little');
      const due = await this.reservations.count(tx, walletId);
      if (kind === 'unfreeze' && resource === 'energy') {
        const freeSun = await this.reservations.takeFromOrders(tx, walletId, amountSun!);
        if (freeSun !== null) throw new DomainError('stake.not-free', { name, freeSun });
      }
      const requestedBy = operator.service ?? operator.address;
      const operation = { id, walletId, kind, resource, amountSun, votes, occasion, requestedBy, actorId: operator.id };
      const isPlanned = await this.operations.plan(tx, operation, LEASE_MS);
      if (!isPlanned) throw new DomainError('stake.under-way', { name, kind });
      // No order counts on what it takes, from here on and until a reading shows it.
      const dueWithIt = await this.reservations.count(tx, walletId);
      const isPaid = BRINGS_TRX.includes(kind) || (await this.paid(tx, walletId, liquidSun)) >= dueWithIt;
      if (!isPaid && (await this.pool.hasLiveOrders(walletId, tx)))
        throw new DomainError('stake.reclaims-unpaid', { name, due });
      return { result: (await this.operations.find(id, tx))!, after: { ...asked, operation: id } };
    });
  }

  /** How many transactions the wallet pays for with what is there; under its lock nothing else is promised of it. */
  private async paid(tx: SqlTransaction, walletId: string, liquidSun: bigint | null): Promise<bigint> {
    const wallet = await this.pool.get(walletId, tx);
    const isLess = liquidSun !== null && liquidSun < wallet.balance_sun;
    return transactionsPaid(isLess ? { ...wallet, balance_sun: liquidSun } : wallet);
  }

  /** For what takes much of it. The owner may have frozen TRX by hand since the last reading, which is of a final block. */
  private async liquidNow({ name, kind, resource }: WantedOperation): Promise<bigint | null> {
    if (kind !== 'freeze' && !(kind === 'unfreeze' && resource === 'bandwidth')) return null;
    const care = (await this.cares.list()).find((one) => one.name === name);
    return care ? this.stake.liquidNow(care.address) : null;
  }
}
