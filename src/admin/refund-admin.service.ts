import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { userSubject } from '../audit-log/subjects';
import { LedgerService, type Moved } from '../balance/ledger.service';
import { FinalTransactions } from '../chain/observer/final-transactions';
import type { BlockHeader } from '../chain/proof/block-header';
import { hasSucceeded, readTransfer } from '../chain/proof/transfer';
import { PoolWallets } from '../chain/pool/wallets/pool-wallets';
import { ChainTransactionRepository } from '../chain/transactions/outbox/chain-transaction.repository';
import { toBase58Address } from '../chain/tron/addresses';
import { DomainError } from '../common/errors/domain.error';
import { formatTrx } from '../common/money/sun';
import { Sql } from '../database/sql';
import { DepositAddresses } from '../deposits/deposit-addresses';
import { UserService } from '../users/user.service';
import { UnknownCommits } from './unknown-commits';

/** TRX that an operator has sent to a customer by hand, with any wallet. */
export interface Refund {
  readonly amountSun: bigint;
  readonly to: string;
  /** In small letters. */
  readonly txid: string;
  readonly note?: string | undefined;
}

/** What the chain shows of it. */
interface Shown {
  readonly from: string;
  readonly block: BlockHeader;
}

export interface Refunded extends Moved, Shown {
  /** Its commit was not acknowledged: it was looked up. */
  readonly lookedUp: boolean;
}

/**
 * Takes from a balance what the chain shows as sent back. Any sender counts: operators send from wallets that the service does not know,
 * so the operator answers for the transfer being theirs, and the audit log keeps the sender. Transactions of the service's own refund
 * nothing: an activation is a transfer too. Nor does one to an address of the service's: a customer's own deposit would come back to the customer.
 */
@Injectable()
export class RefundAdminService {
  constructor(
    private readonly users: UserService,
    private readonly ledger: LedgerService,
    private readonly transactions: FinalTransactions,
    private readonly outbox: ChainTransactionRepository,
    private readonly wallets: PoolWallets,
    private readonly deposits: DepositAddresses,
    private readonly auditLog: AuditLog,
    private readonly unknownCommits: UnknownCommits,
    private readonly sql: Sql,
  ) {}

  /** @throws DomainError with the reason; NodeUnavailableError when no node can be asked */
  async refund(operator: Operator, email: string, refund: Refund): Promise<Refunded> {
    const { amountSun, to, txid, note = `refund to ${to}` } = refund;
    const asked = { amount: formatTrx(amountSun), to, txid, note };
    const act = { action: 'balance.refund', subject: userSubject(email), asked };
    // Nodes are asked before the transaction, which would have the account locked meanwhile. What they lack is a refusal, and logged as one.
    const proof = await this.prove(refund).catch((error: unknown) => {
      if (error instanceof DomainError) return error;
      throw error;
    });
    const refunding = () =>
      this.auditLog.record(operator, act, async (tx) => {
        if (proof instanceof DomainError) throw proof;
        const { id: userId } = await this.users.lock(email, tx);
        const moved = await this.ledger.refund({ userId, amountSun, note, reference: txid }, tx);
        const { beforeSun, balanceSun, repeated, at } = moved;
        const { from, block } = proof;
        const after = { ...asked, from, block: block.number, block_id: block.id, balance: formatTrx(balanceSun) };
        return {
          result: { ...moved, from, block },
          before: { balance: formatTrx(beforeSun) },
          after: { ...after, ...(repeated && { repeated, booked_at: at }) },
        };
      });
    const { result, lookedUp } = await this.unknownCommits.lookUp(txid, refunding, () =>
      this.sql.transaction(async (tx) => this.ledger.isBooked((await this.users.lock(email, tx)).id, txid, tx)),
    );
    return { ...result, lookedUp };
  }

  /** A final block shows a successful transfer of exactly this amount to this address. */
  private async prove({ amountSun, to, txid }: Refund): Promise<Shown> {
    if ((await this.wallets.owns(to)) || (await this.deposits.isKnown(to)))
      throw new DomainError('refund.own-address', { to });
    if ((await this.outbox.findKnown([txid])).has(txid)) throw new DomainError('refund.own-transaction', { txid });
    const found = await this.transactions.find(txid);
    if ('why' in found) {
      const { why, number } = found;
      if (why === 'unknown' || number === null) throw new DomainError('refund.unknown', { txid });
      throw new DomainError(why === 'not-final' ? 'refund.not-final' : 'refund.unproved', { txid, number });
    }
    if (!hasSucceeded(found.tail)) throw new DomainError('refund.failed', { txid });
    const transfer = readTransfer(found);
    if (transfer?.token !== null) throw new DomainError('refund.no-transfer', { txid });
    const shown = toBase58Address(transfer.to);
    if (shown !== to) throw new DomainError('refund.other-address', { txid, shown, to });
    if (transfer.amount !== amountSun)
      throw new DomainError('refund.other-amount', { txid, shownSun: transfer.amount, amountSun });
    return { from: toBase58Address(transfer.owner), block: found.block };
  }
}
