import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import type { Facts } from '../audit-log/audit-entry.repository';
import { QuarantinesRepository } from '../audit-log/quarantines.repository';
import type { SwitchName } from '../chain/pool/switches/switch.sql';
import { Switches, type SwitchView } from '../chain/pool/switches/switches';
import type { WalletState } from '../chain/pool/wallets/pool-wallet.entity';
import { type KeyChange, type NewWallet, PoolWallets, type WalletSummary } from '../chain/pool/wallets/pool-wallets';
import { WalletLoans } from '../chain/pool/wallets/wallet-loans';
import { DomainError } from '../common/errors/domain.error';
import type { SqlTransaction } from '../database/sql';
import { FindingRepository } from '../findings/finding.repository';
import type { FindingRow } from '../findings/finding.statements';

/** An audit entry need not name thousands. */
const MOST_NAMED = 100;

export interface Resumption {
  /** Why it may lend although something speaks against it; null: nothing does. */
  readonly reason: string | null;
  /** Open findings that the operator has read. Null: at the command line, which refuses nothing and says afterwards what there is. */
  readonly seenIds: readonly bigint[] | null;
}

export interface Resumed {
  readonly wallet: WalletSummary;
  /** Open findings that no run has explained. */
  readonly doubts: readonly FindingRow[];
  /** It was the reconciler that had paused it. */
  readonly quarantined: boolean;
}

/** What operators do to wallets and to the switches for all orders and all reclaims, each act in one transaction with its entry in the audit log. */
@Injectable()
export class PoolAdminService {
  constructor(
    private readonly pool: PoolWallets,
    private readonly loans: WalletLoans,
    private readonly findings: FindingRepository,
    private readonly quarantines: QuarantinesRepository,
    private readonly switches: Switches,
    private readonly auditLog: AuditLog,
  ) {}

  addWallet(operator: Operator, wallet: NewWallet): Promise<WalletSummary> {
    const { name, address, role, permissionId } = wallet;
    // The key's location stays out of the log.
    const asked = { address, role, permission_id: permissionId };
    return this.auditLog.record(operator, { action: 'wallet.add', subject: `wallet ${name}`, asked }, async (tx) => ({
      result: await this.pool.add(wallet, tx),
    }));
  }

  setWalletState(operator: Operator, name: string, state: WalletState): Promise<WalletSummary> {
    const act = { action: 'wallet.state', subject: `wallet ${name}`, asked: { state } };
    return this.auditLog.record(operator, act, async (tx) => {
      const before = await this.pool.lock(name, tx);
      return { result: await this.pool.setState(name, state, tx), before: { state: before.state } };
    });
  }

  /** @throws DomainError when more is found of it than the operator has read, or a reason is missing; at the command line neither */
  resumeWallet(operator: Operator, name: string, { reason, seenIds }: Resumption): Promise<Resumed> {
    const asked = { state: 'active', ...(reason !== null && { reason }) };
    return this.auditLog.record(operator, { action: 'wallet.state', subject: `wallet ${name}`, asked }, async (tx) => {
      const { id, state } = await this.pool.lock(name, tx);
      // The reconciler keeps what pauses a wallet in the transaction that pauses it, under this lock: it is read here, or pauses it afterwards.
      const doubts = await this.findings.doubtsOf(id, tx);
      const quarantined = await this.quarantines.has(name, tx);
      if (seenIds !== null) {
        const unread = doubts.filter((doubt) => !seenIds.includes(doubt.id)).map(({ kind }) => kind);
        if (unread.length > 0) throw new DomainError('wallet.finding-unread', { name, kinds: [...new Set(unread)] });
        if (reason === null && (doubts.length > 0 || quarantined))
          throw new DomainError('wallet.reason-needed', { name });
      }
      const despite = doubts.slice(0, MOST_NAMED).map(({ kind, subject }) => `${kind} ${subject}`);
      return {
        result: { wallet: await this.pool.setState(name, 'active', tx), doubts, quarantined },
        before: { state },
        after: { ...asked, ...(quarantined && { quarantined }), ...(despite.length > 0 && { despite }) },
      };
    });
  }

  updateWallet(operator: Operator, name: string, change: KeyChange): Promise<WalletSummary> {
    const { permissionId, keySource } = change;
    const permission = permissionId === undefined ? {} : { permission_id: permissionId };
    const asked = { ...permission, ...(keySource !== undefined && { key_source: 'given' }) };
    return this.auditLog.record(operator, { action: 'wallet.update', subject: `wallet ${name}`, asked }, async (tx) => {
      const wallet = await this.pool.lock(name, tx);
      const result = await this.pool.updateKey(wallet, change, tx);
      const isMoved = keySource !== undefined && keySource !== wallet.key_source;
      return {
        result,
        before: permissionId === undefined ? {} : { permission_id: wallet.permission_id },
        after: { ...permission, ...(isMoved && { key_source: 'changed' }) },
      };
    });
  }

  /** Refused while stake of it is lent, by this service or not, or a finding about it is open: no check looks at a removed wallet. */
  async removeWallet(operator: Operator, name: string): Promise<WalletSummary> {
    const loans = await this.loans.find(name);
    return this.auditLog.record(operator, { action: 'wallet.remove', subject: `wallet ${name}` }, async (tx) => {
      const wallet = await this.pool.lock(name, tx);
      const { id, address, role, state } = wallet;
      await this.pool.requireUnused(wallet, tx);
      const findings = await this.findings.countOpenOf(id, tx);
      if (findings > 0) throw new DomainError('wallet.has-findings', { name, findings });
      // Another wallet may have got the name since.
      if (loans?.address !== address) throw new DomainError('wallet.loans-unknown', { name });
      if (loans.lentSun > 0n) throw new DomainError('wallet.lent-on-chain', { name, lentSun: loans.lentSun });
      return { result: await this.pool.remove(wallet, tx), before: { address, role, state } };
    });
  }

  pause(operator: Operator, name: SwitchName, reason: string | null): Promise<SwitchView> {
    return this.switch(operator, name, 'pause', { reason }, (tx) => this.switches.pause(name, reason, tx));
  }

  resume(operator: Operator, name: SwitchName): Promise<SwitchView> {
    return this.switch(operator, name, 'resume', {}, (tx) => this.switches.resume(name, tx));
  }

  private switch(
    operator: Operator,
    name: SwitchName,
    act: string,
    asked: Facts,
    set: (tx: SqlTransaction) => Promise<SwitchView>,
  ): Promise<SwitchView> {
    return this.auditLog.record(operator, { action: `${name}.${act}`, subject: 'service', asked }, async (tx) => {
      const before = await this.switches.read(name, tx);
      const result = await set(tx);
      return { result, before: { ...before }, after: { ...result } };
    });
  }
}
