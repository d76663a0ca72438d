import { Injectable, Logger } from '@nestjs/common';
import { PoolAdmin } from '../../chain/pool/pool-admin';
import { Sql, type Statement } from '../../database/sql';
import type { PairFinding } from '../audit/pair-findings';
import type { ResolvedFinding } from './finding.store';
import { MAY_HAVE_BEEN_MISREAD } from './misread-findings';

/** Only in the state that was seen: what an operator has done since then counts. */
const PAUSE: Statement = {
  name: 'reconcile_pause_wallet',
  text: `update pool_wallets
            set state = 'paused', resumes_itself = case when state = 'active' then $2 else resumes_itself and $2 end
          where name = $1 and state = $3`,
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

/** A wallet whose stake is not explained takes no orders; one that was paused for a wrong reading takes them again. */
@Injectable()
export class PauseWallets {
  private readonly logger = new Logger(PauseWallets.name);

  constructor(
    private readonly sql: Sql,
    private readonly pool: PoolAdmin,
  ) {}

  /** @returns the names of those that took orders until now */
  async pause(findings: readonly PairFinding[]): Promise<string[]> {
    const states = new Map((await this.pool.list()).map(({ name, state }) => [name, state]));
    const names = [...new Set(findings.map(({ wallet }) => wallet))];
    const paused: string[] = [];
    for (const name of names) {
      const state = states.get(name);
      if (state !== 'active' && state !== 'paused') continue;
      const kinds = findings.filter(({ wallet }) => wallet === name).map(({ kind }) => kind);
      const misread = kinds.every((kind) => MAY_HAVE_BEEN_MISREAD.includes(kind));
      if ((await this.sql.execute(PAUSE, [name, misread, state])) === 0 || state === 'paused') continue;
      this.logger.error(`The wallet ${name} takes no new orders: its stake is not explained`);
      paused.push(name);
    }
    return paused;
  }

  /** Never one that an operator has paused, before or after. @returns the names of those that take orders again */
  async resume(gone: readonly ResolvedFinding[]): Promise<string[]> {
    const resumed: string[] = [];
    for (const { kind, subject } of gone) {
      if (!MAY_HAVE_BEEN_MISREAD.includes(kind)) continue;
      const [wallet, receiver] = subject.split(/ to (?=\S+$)/);
      if ((await this.sql.execute(RESUME, [wallet, receiver])) === 0) continue;
      this.logger.warn(`The wallet ${wallet} takes orders again: its stake is there, the readings were wrong`);
      resumed.push(wallet!);
    }
    return resumed;
  }
}
