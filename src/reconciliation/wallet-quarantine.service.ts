import { hostname } from 'node:os';
import { Injectable, Logger } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import type { WalletState } from '../chain/wallets/pool-wallet.entity';
import { PoolWallets } from '../chain/wallets/pool-wallets';
import { Sql, type Statement } from '../database/sql';
import type { ResolvedFinding } from '../findings/finding.store';
import { MAY_HAVE_BEEN_MISREAD } from '../findings/suspect-readings';
import type { DelegatedResourceFinding } from './chain/delegated-resource-findings';
import { UnexplainedStakes } from './unexplained-stakes/unexplained-stakes';

/** Nobody asked for it: who reads the log sees which instance it was. */
const RECONCILER: Operator = { id: null, service: 'reconciler', address: hostname() };

/** Only in the state that was seen: what an operator has done since then counts. */
const LOCK: Statement = {
  name: 'reconcile_lock_wallet',
  text: `select id from pool_wallets where name = $1 and state = $2 and removed_at is null for no key update`,
};
const PAUSE: Statement = {
  name: 'reconcile_pause_wallet',
  text: `update pool_wallets
            set state = 'paused', resumes_itself = case when state = 'active' then $2 else resumes_itself and $2 end
          where id = $1 and state in ('active', 'paused')`,
};
const RESUME: Statement = {
  name: 'reconcile_resume_wallet',
  text: `update pool_wallets w set state = 'active', resumes_itself = false
          where w.name = $1 and w.state = 'paused' and w.resumes_itself
            and not exists (select 1 from findings f
                             where f.resolved_at is null and starts_with(f.subject, w.name || ' to '))
            and not exists (select 1 from delegations d
                             where d.wallet_id = w.id and d.receiver = $2 and d.shortage_sun > 0)`,
};

/**
 * A wallet whose stake is not explained takes no orders; one that was paused for a wrong reading takes them again. Each with its
 * entry in the audit log, in one transaction.
 */
@Injectable()
export class WalletQuarantineService {
  private readonly logger = new Logger(WalletQuarantineService.name);

  constructor(
    private readonly sql: Sql,
    private readonly pool: PoolWallets,
    private readonly stakes: UnexplainedStakes,
    private readonly audit: AuditLog,
  ) {}

  /** For what is more than was known of a pair of wallet and receiver. @returns the names of those that took orders until now */
  async pause(findings: readonly DelegatedResourceFinding[]): Promise<string[]> {
    const states = new Map((await this.pool.list()).map(({ name, state }) => [name, state]));
    const paused: string[] = [];
    for (const name of new Set(findings.map(({ wallet }) => wallet))) {
      const state = states.get(name);
      const ofWallet = findings.filter(({ wallet }) => wallet === name);
      if (state === undefined || !(await this.pauseOne(name, state, ofWallet))) continue;
      this.logger.error(`The wallet ${name} takes no new orders: its stake is not explained`);
      paused.push(name);
    }
    return paused;
  }

  /** What is found while a wallet takes no orders is in sight of the operator who resumes it. */
  private pauseOne(name: string, state: WalletState, findings: readonly DelegatedResourceFinding[]): Promise<boolean> {
    return this.sql.transaction(async (tx) => {
      const wallet = await tx.row<{ id: string }>(LOCK, [name, state]);
      if (!wallet) return false;
      const grown = await this.stakes.grown(tx, wallet.id, findings);
      if (grown.length === 0) return false;
      const misread = grown.every(({ kind }) => MAY_HAVE_BEEN_MISREAD.includes(kind));
      await tx.execute(PAUSE, [wallet.id, misread]);
      if (state !== 'active') return false;
      const found = grown.map(({ kind, subject }) => `${kind} ${subject}`);
      const facts = { before: { state }, after: { state: 'paused', found } };
      await this.audit.append(RECONCILER, { ...stateOf(name), ...facts }, tx);
      return true;
    });
  }

  /** Never one that an operator has paused, before or after. @returns the names of those that take orders again */
  async resume(gone: readonly ResolvedFinding[]): Promise<string[]> {
    const resumed: string[] = [];
    for (const { kind, subject } of gone) {
      if (!MAY_HAVE_BEEN_MISREAD.includes(kind)) continue;
      const [wallet, receiver] = subject.split(/ to (?=\S+$)/);
      if (!(await this.resumeOne(wallet!, receiver!, `${kind} ${subject}`))) continue;
      this.logger.warn(`The wallet ${wallet} takes orders again: its stake is there, the readings were wrong`);
      resumed.push(wallet!);
    }
    return resumed;
  }

  private resumeOne(name: string, receiver: string, gone: string): Promise<boolean> {
    return this.sql.transaction(async (tx) => {
      if ((await tx.execute(RESUME, [name, receiver])) === 0) return false;
      const facts = { before: { state: 'paused' }, after: { state: 'active', gone: [gone] } };
      await this.audit.append(RECONCILER, { ...stateOf(name), ...facts }, tx);
      return true;
    });
  }
}

function stateOf(name: string) {
  return { action: 'wallet.state', subject: `wallet ${name}`, outcome: 'done' } as const;
}
