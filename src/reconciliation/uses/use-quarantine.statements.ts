import { statement } from '../../database/statement';
import type { WalletState } from '../../chain/pool/wallets/pool-wallet.entity';
import type { WalletRole } from '../../chain/transactions/signing/wallet-role';

export const LOCK_USED = statement<[walletId: string], { state: WalletState; role: WalletRole }>(
  'wallet_use_lock_wallet',
  `select state, role from pool_wallets where id = $1 and removed_at is null for no key update`,
);

/** One that an operator has paused stays as it is. */
export const PAUSE_USED = statement<[walletId: string]>(
  'wallet_use_pause',
  `update pool_wallets set state = 'paused', paused_by_reconciler = true
    where id = $1 and (state = 'active' or (state = 'paused' and paused_by_reconciler))`,
);

export const LIST_PAUSED = statement<[], { id: string; name: string }>(
  'wallet_use_paused',
  `select id, name from pool_wallets where state = 'paused' and paused_by_reconciler and removed_at is null order by name`,
);

/**
 * Whichever finding is the last to end. The pause is for a use when something has been open ever since the last use that paused
 * the wallet was acknowledged: at a moment when nothing was, that pause was over, and what was found later paused it for something else.
 * An operator who resumes it on its page sees all that is open about it, and gives a reason.
 */
export const RESUME_ACKNOWLEDGED = statement<[walletId: string, withoutDoubt: readonly string[]], { name: string }>(
  'wallet_use_resume',
  `update pool_wallets w set state = 'active', resumes_itself = false, paused_by_reconciler = false
    where w.id = $1 and w.state = 'paused' and w.paused_by_reconciler
      and not exists (select from findings f where f.wallet_id = w.id and f.resolved_at is null and f.kind <> all($2::text[]))
      and exists (
        select from (select u.acknowledged_at as at from findings u
                      where u.wallet_id = w.id and u.subject_type = 'wallet_transaction' and u.kind = 'wallet_used'
                        and u.action_code = 'wallet_paused' and u.acknowledged_at is not null
                      order by u.acknowledged_at desc limit 1) used
         where not exists (
           select from findings f
            where f.wallet_id = w.id and f.first_seen_at > used.at and f.kind <> all($2::text[]) and f.kind <> 'wallet_act'
              and not exists (select from findings o
                               where o.wallet_id = w.id and o.kind <> all($2::text[])
                                 and o.first_seen_at < f.first_seen_at and o.resolved_at > f.first_seen_at)))
   returning w.name`,
);

interface KeptUse {
  readonly code: 'wallet_used' | 'wallet_changed';
  readonly parameters: Readonly<Record<string, string>>;
  readonly subject_type: string;
  readonly subject_id: string | null;
  readonly wallet_id: string;
  readonly wallet: string;
  readonly receiver: string | null;
}
/** Open until somebody acknowledges them, also of wallets that were removed since. */
export const KEPT_USES = statement<[], KeptUse>(
  'wallet_use_kept',
  `select f.reason_code as code, f.parameters, f.subject_type, f.subject_id, f.wallet_id, w.name as wallet, f.receiver
     from findings f join pool_wallets w on w.id = f.wallet_id
    where f.kind = 'wallet_used' and f.resolved_at is null order by f.id`,
);

/** Open, acknowledged or history. */
export const KEPT_AMONG = statement<[walletId: string, txIds: readonly string[]], { tx_id: string }>(
  'wallet_use_kept_among',
  `select f.subject_id as tx_id from findings f
    where f.subject_type = 'wallet_transaction' and f.wallet_id = $1 and f.subject_id = any($2::text[])`,
);

export const ACKNOWLEDGED_AMONG = statement<[txIds: readonly string[]], { tx_id: string; wallet_id: string }>(
  'wallet_use_acknowledged',
  `select f.subject_id as tx_id, f.wallet_id from findings f
    where f.subject_type = 'wallet_transaction' and f.subject_id = any($1::text[]) and f.acknowledged_at is not null`,
);
