import { Injectable } from '@nestjs/common';
import { LedgerService } from '../balance/ledger.service';
import { DomainError, MissingError } from '../common/errors/domain.error';
import { formatTrx } from '../common/money/sun';
import { Sql, type SqlTransaction } from '../database/sql';
import { referenceOf } from './credit-deposits';
import { MOST_SUN, worthSun } from './decide-deposit';
import { DepositEvents } from './deposit-events';
import { DepositLookup } from './deposit-lookup';
import { DepositRates } from './deposit-rates';
import type { Asset } from './deposit-states';
import { formatAmount, type DepositView } from './deposit-view';
import {
  CREDIT_BY_HAND,
  EXPLAIN,
  INSERT_UNEXPLAINED,
  LEAVE_TO_OPERATOR,
  LOCK,
  LOCK_ADDRESS,
  UNEXPLAINED,
  WAITING_FOR_RATE,
} from './by-hand.statements';

interface Worth {
  readonly asset: Asset;
  readonly amount: bigint;
}

interface Unexplained extends Worth {
  /** The id of the deposit that it becomes. */
  readonly id: string;
  readonly address: string;
  readonly note: string;
  /** Whose the address is, as the operator says: only where the rows do not say it. */
  readonly user?: { readonly id: string };
}

/** What operators credit, each in the transaction of their act. */
@Injectable()
export class CreditByHand {
  constructor(
    private readonly sql: Sql,
    private readonly ledger: LedgerService,
    private readonly rates: DepositRates,
    private readonly lookup: DepositLookup,
    private readonly events: DepositEvents,
  ) {}

  /** Ids of those that wait for a rate, the oldest first. */
  async waitingForRate(): Promise<string[]> {
    return (await this.sql.rows(WAITING_FOR_RATE)).map(({ id }) => id);
  }

  /**
   * One that is waiting or too small; USDT at the rate of this moment. With a note, also where its txid was booked by hand: an operator looked at
   * this one. With `seenSun`, it is worth as much as the operator was shown. @throws DomainError
   */
  async credit(id: string, note: string | null, tx: SqlTransaction, seenSun?: bigint): Promise<DepositView> {
    const row = await tx.row(LOCK, [id]);
    if (!row) throw new MissingError('deposit.not-found', { id });
    const { state, user_id: userId, txid, index } = row;
    if (state !== 'waiting' && state !== 'too_small') throw new DomainError('deposit.not-creditable', { state });
    const { amountSun, rateSun } = await this.worth(row, tx);
    if (seenSun !== undefined && seenSun !== amountSun) throw new DomainError('deposit.worth-changed', { amountSun });
    const reference = txid === null ? manualReference(id) : referenceOf({ txid, index: index! });
    const movement = { userId, amountSun, note: note ?? formatAmount(row), reference, isAnotherPayment: note !== null };
    await this.ledger.move('deposit', movement, tx);
    await tx.execute(CREDIT_BY_HAND, [id, amountSun, rateSun, note]);
    await this.events.write(tx, 'deposit.credited', [id]);
    return this.lookup.get(id, tx);
  }

  /** It waits for a rate no more: another rate would not change why it was refused. */
  async leaveToOperator(id: string, why: string): Promise<void> {
    await this.sql.execute(LEAVE_TO_OPERATOR, [id, why]);
  }

  /** A part of what came to an address and no deposit explains: never more than that. @throws DomainError */
  async creditUnexplained(asked: Unexplained, tx: SqlTransaction): Promise<DepositView> {
    const { id, address, asset, amount, note } = asked;
    const row = await tx.row(LOCK_ADDRESS, [address]);
    if (!row) throw new MissingError('deposit.address-unknown', { address });
    const userId = row.user_id ?? asked.user?.id;
    if (userId === undefined) throw new DomainError('deposit.needs-user', { address });
    const { units: left } = (await tx.row(UNEXPLAINED, [address, asset]))!;
    if (amount > left) throw new DomainError('deposit.not-unexplained', { amount: formatTrx(left), asset });
    const { amountSun, rateSun } = await this.worth({ asset, amount }, tx);
    const reference = manualReference(id);
    await this.ledger.move('deposit', { userId, amountSun, note, reference }, tx);
    await tx.execute(INSERT_UNEXPLAINED, [id, userId, address, asset, amount, rateSun, amountSun, note]);
    await tx.execute(EXPLAIN, [address, asset === 'TRX' ? amount : 0n, asset === 'USDT' ? amount : 0n]);
    await this.events.write(tx, 'deposit.credited', [id]);
    return this.lookup.get(id, tx);
  }

  /** Waits for a transaction that credits it and is still under way. */
  async isCredited(id: string, tx: SqlTransaction): Promise<boolean> {
    return (await tx.row(LOCK, [id]))?.state === 'credited';
  }

  /** Waits for a transaction that credits a part of what the address holds and is still under way. */
  async isUnexplainedCredited(id: string, address: string, tx: SqlTransaction): Promise<boolean> {
    await tx.row(LOCK_ADDRESS, [address]);
    return this.isCredited(id, tx);
  }

  private async worth(worth: Worth, tx: SqlTransaction): Promise<{ amountSun: bigint; rateSun: bigint | null }> {
    const rateSun = worth.asset === 'TRX' ? null : await this.rates.sunNow(tx);
    if (worth.asset === 'USDT' && rateSun === null) throw new DomainError('deposit.no-rate');
    const amountSun = worthSun(worth, rateSun ?? 0n);
    if (amountSun === 0n) throw new DomainError('deposit.worth-nothing');
    if (amountSun > MOST_SUN) throw new DomainError('movement.balance-too-large', { amountSun });
    return { amountSun, rateSun };
  }
}

const manualReference = (id: string) => `deposit ${id}`;
