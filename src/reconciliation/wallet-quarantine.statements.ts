import type { WalletState } from '../chain/pool/wallets/pool-wallet.entity';
import { statement } from '../database/statement';

/** Only in the state that was seen: what an operator has done since then counts. */
export const LOCK = statement<[walletId: string, state: WalletState], { id: string }>(
  'reconcile_lock_wallet',
  `select id from pool_wallets where id = $1 and state = $2 and removed_at is null for no key update`,
);

export const PAUSE = statement<[walletId: string, resumesItself: boolean]>(
  'reconcile_pause_wallet',
  `update pool_wallets
      set state = 'paused', resumes_itself = case when state = 'active' then $2 else resumes_itself and $2 end,
          paused_by_reconciler = paused_by_reconciler or state = 'active'
    where id = $1 and state in ('active', 'paused')`,
);

/** Not while anything else is found of what it has lent or was used for, nor when the order that was missed has ended short. */
export const RESUME = statement<[walletId: string, receiver: string]>(
  'reconcile_resume_wallet',
  `update pool_wallets w set state = 'active', resumes_itself = false, paused_by_reconciler = false
    where w.id = $1 and w.state = 'paused' and w.resumes_itself
      and not exists (select 1 from findings f
                       where f.resolved_at is null and f.wallet_id = w.id
                         and (f.receiver is not null or (f.kind = 'wallet_used' and f.action_code = 'wallet_paused')))
      and not exists (select 1 from delegations d
                       where d.wallet_id = w.id and d.receiver = $2 and d.shortage_sun > 0)`,
);
