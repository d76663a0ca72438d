import { Inject, Injectable } from '@nestjs/common';
import { v7 as newId } from 'uuid';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { userSubject } from '../audit-log/subjects';
import { DomainError } from '../common/errors/domain.error';
import { formatTrx } from '../common/money/sun';
import { Sql, type SqlTransaction } from '../database/sql';
import { CreditByHand } from '../deposits/credit-by-hand';
import { DepositAddresses } from '../deposits/deposit-addresses';
import { DepositLookup } from '../deposits/deposit-lookup';
import { DepositRates, type Rate } from '../deposits/deposit-rates';
import type { Asset } from '../deposits/deposit-states';
import type { DepositView } from '../deposits/deposit-view';
import { UnexplainedHoldings } from '../deposits/unexplained-holdings';
import { UnknownCommits } from './unknown-commits';

export interface UnexplainedCredit {
  readonly address: string;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly note: string;
  /** Whose the address is: for one that was left out after a restore, and for no other. */
  readonly user?: { readonly id: string; readonly email: string };
}

export interface CreditedWaiting {
  readonly credited: number;
  readonly failed: number;
}

/** An operator has used the payment's txid. */
const BOOKED_BEFORE: ReadonlySet<string> = new Set(['movement.reference-used', 'movement.quota-given']);

const inWords = (sun: bigint | null | undefined) => (typeof sun === 'bigint' ? formatTrx(sun) : 'none');

/** What operators do about deposits, each act with its entry in the audit log. */
@Injectable()
export class DepositAdminService {
  constructor(
    private readonly addresses: DepositAddresses,
    private readonly lookup: DepositLookup,
    private readonly rates: DepositRates,
    private readonly credits: CreditByHand,
    private readonly holdings: UnexplainedHoldings,
    private readonly auditLog: AuditLog,
    private readonly unknownCommits: UnknownCommits,
    private readonly sql: Sql,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** The customer's, made when there is none, as a call of the customer makes it. @throws DomainError, NodeUnavailableError */
  address(userId: string): Promise<string> {
    return this.addresses.of(userId);
  }

  /**
   * From now on; null: USDT counts nothing.
   * @param seen the newest rate when the operator was asked: nothing is set over another one
   * @throws DomainError
   */
  async setRate(operator: Operator, sunPerUsdt: bigint | null, seen?: bigint | null): Promise<Rate> {
    const finalTimeMs = await this.rates.finalTimeMs();
    const asked = { trx_per_usdt: inWords(sunPerUsdt) };
    return this.auditLog.record(operator, { action: 'deposit.rate', subject: 'service', asked }, async (tx) => {
      if (!this.configuration.deposits) throw new DomainError('deposit.off');
      const before = await this.rates.newestHeld(tx);
      const isSeen = seen === undefined || seen === (before?.sunPerUsdt ?? null);
      if (!isSeen) throw new DomainError('deposit.rate-changed');
      const result = await this.rates.set(sunPerUsdt, finalTimeMs, tx);
      return {
        result,
        before: { trx_per_usdt: inWords(before?.sunPerUsdt) },
        after: { ...asked, since: result.since },
      };
    });
  }

  /** Each in a transaction of its own: one that is refused, which the audit log says, stops no other. */
  async creditWaiting(operator: Operator): Promise<CreditedWaiting> {
    const counts = { credited: 0, failed: 0 };
    for (const id of await this.credits.waitingForRate()) {
      try {
        await this.credit(operator, id, null);
        counts.credited++;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        counts.failed++;
        if (BOOKED_BEFORE.has(error.code)) await this.credits.leaveToOperator(id, error.message);
      }
    }
    return counts;
  }

  /** @param seenSun what it was worth when the operator was asked @throws DomainError */
  async credit(operator: Operator, id: string, note: string | null, seenSun?: bigint): Promise<DepositView> {
    const { user } = await this.lookup.get(id);
    const act = { action: 'deposit.credit', subject: userSubject(user), asked: { id, note } };
    const crediting = () =>
      this.auditLog.record(operator, act, async (tx) => {
        const result = await this.credits.credit(id, note, tx, seenSun);
        return { result, after: { id, note, credited: formatTrx(result.credited_sun!) } };
      });
    return this.lookedUp(id, crediting, (tx) => this.credits.isCredited(id, tx));
  }

  /** @throws DomainError, NodeUnavailableError when no node says what the address holds */
  async creditUnexplained(operator: Operator, asked: UnexplainedCredit): Promise<DepositView> {
    const { address, asset, note } = asked;
    const facts = { address, asset, amount: formatTrx(asked.amount), note };
    // What was read before may be older than a deposit or a sweep that has come since.
    const isRead = !(await this.addresses.isKnown(address)) || (await this.holdings.readPatiently(address));
    const owner = await this.addresses.userOf(address);
    const user = owner ?? asked.user?.email;
    const subject = user === undefined ? `deposit address ${address}` : userSubject(user);
    const act = { action: 'deposit.credit-unexplained', subject, asked: facts };
    // Before the transaction: by it the credit is looked up when its commit was not acknowledged.
    const id = newId();
    const crediting = () =>
      this.auditLog.record(operator, act, async (tx) => {
        if (!isRead) throw new DomainError('deposit.scanner-behind');
        if (owner !== null && asked.user) throw new DomainError('deposit.has-customer', { address, user: owner });
        const result = await this.credits.creditUnexplained({ ...asked, id }, tx);
        return { result, after: { ...facts, id, credited: formatTrx(result.credited_sun!) } };
      });
    return this.lookedUp(id, crediting, (tx) => this.credits.isUnexplainedCredited(id, address, tx));
  }

  private async lookedUp(
    id: string,
    act: () => Promise<DepositView>,
    isDone: (tx: SqlTransaction) => Promise<boolean>,
  ): Promise<DepositView> {
    const { result } = await this.unknownCommits.lookUp(id, act, () => this.sql.transaction(isDone));
    return result;
  }
}
