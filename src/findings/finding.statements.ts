import { statement } from '../database/statement';
import { utcMicroseconds } from '../database/utc-timestamp';
import type { FindingColumns } from './finding-text';
import { RECLAIM_UNDECIDED } from './suspect-readings';

/** A row for people, with instants as the command line has them. */
export interface FindingView extends FindingColumns {
  readonly id: bigint;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly resolved_at: string | null;
  readonly acknowledged_at: string | null;
  /** Note of the operator who acknowledged it. */
  readonly note: string | null;
}

/** A row of the panel's list. */
export interface FindingRow extends FindingColumns {
  readonly id: bigint;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
  readonly resolved_at: Date | null;
  readonly amount_sun: bigint | null;
  readonly acknowledged_at: Date | null;
  readonly note: string | null;
  /** It is open, and of what cannot be put right. */
  readonly can_be_acknowledged: boolean;
}

/** What decides whether it can be acknowledged. */
export interface LockedFinding {
  readonly kind: string;
  readonly subject: string;
  readonly amount_sun: bigint | null;
  readonly wallet_id: string | null;
  readonly is_resolved: boolean;
  readonly is_acknowledged: boolean;
  readonly can_be_acknowledged: boolean;
}

export interface ResolvedFinding {
  readonly kind: string;
  readonly subject: string;
  readonly wallet_id: string | null;
  readonly wallet: string | null;
  readonly receiver: string | null;
}

export type SeenValues = [
  kind: string,
  subject: string,
  subjectType: string,
  subjectId: string | null,
  walletId: string | null,
  receiver: string | null,
  code: string,
  parameters: string,
  reason: string,
  nextStep: string,
  amountSun: bigint | null,
];

export const SEEN = statement<SeenValues, { id: bigint; is_new: boolean }>(
  'finding_seen',
  `insert into findings (kind, subject, subject_type, subject_id, wallet_id, receiver, reason_code, parameters, reason, next_step, amount_sun)
   select $1, $2, $3, $4, $5::uuid, $6, $7, $8::jsonb, $9, $10, $11::bigint
    where not exists (select 1 from findings a
                       where a.kind = $1 and a.subject_type = $3 and a.subject_id = $4 and a.acknowledged_at is not null
                         and a.amount_sun >= $11::bigint)
   on conflict (kind, subject) where resolved_at is null
   do update set subject_type = excluded.subject_type, subject_id = excluded.subject_id, wallet_id = excluded.wallet_id,
                 receiver = excluded.receiver, reason_code = excluded.reason_code, parameters = excluded.parameters,
                 reason = excluded.reason, next_step = excluded.next_step, amount_sun = excluded.amount_sun, last_seen_at = now()
   returning id, xmax = 0 as is_new`,
);

/** History from the start, and kept once: the same blocks may be looked through again. */
export const NOTED = statement<SeenValues, { id: bigint }>(
  'finding_noted',
  `insert into findings (kind, subject, subject_type, subject_id, wallet_id, receiver, reason_code, parameters, reason, next_step, amount_sun,
                         resolved_at)
   values ($1, $2, $3, $4, $5::uuid, $6, $7, $8::jsonb, $9, $10, $11::bigint, now())
   on conflict (kind, subject) where kind = 'wallet_act' do nothing returning id`,
);

/** Waits for an operator who acknowledges it at this moment: the statement after this one sees that. */
export const LOCK_OPEN = statement<[kind: string, subject: string], { id: bigint }>(
  'finding_lock_open',
  `select id from findings where kind = $1 and subject = $2 and resolved_at is null for update`,
);

export const ACTED = statement<[id: bigint, code: string, action: string]>(
  'finding_acted',
  'update findings set action_code = $2, action = $3 where id = $1',
);

type GoneValues = [
  seenIds: readonly bigint[],
  suspectKinds: readonly string[],
  missingWalletIds: readonly string[],
  missingReceivers: readonly string[],
  foreignKinds: readonly string[],
  foreignWalletIds: readonly string[],
  foreignReceivers: readonly string[],
  begunAt: string | null,
  unreadWalletIds: readonly string[],
];

const isOneOf = (walletIds: string, receivers: string): string =>
  `exists (select 1 from unnest(${walletIds}::uuid[], ${receivers}::text[]) as p (wallet_id, receiver)
            where p.wallet_id = f.wallet_id and p.receiver = f.receiver)`;

const ENDS_WITH_WALLET = [
  'care_key',
  'reward_unclaimed',
  'signer_unavailable',
  'unfrozen_ready',
  'votes_idle',
  'witness_pays_nothing',
].map((kind) => `'${kind}'`);
/** SQL: what a wallet lacks ends with it; what was done with it has to be looked at all the same. */
const OUTLIVES_WALLET = `not starts_with(f.kind, 'low_') and f.kind not in (${ENDS_WITH_WALLET.join(', ')})`;

/** True of a finding `f` whose wallet was removed: no run looks at it any more. */
const IS_OF_REMOVED = `exists (select from pool_wallets r where r.id = f.wallet_id and r.removed_at is not null)
          and ${OUTLIVES_WALLET}`;

/**
 * What a wallet was used for stays so, and no run sees a removed wallet's findings to be gone: both wait for an operator. An hour without a
 * moment in which nothing of ours was under way between wallet and receiver: foreign stake may be long gone, and an alarm for it must not
 * ring for as long as orders come. Missing stake keeps its wallet paused, so that moment comes. A signer that one instance alone does not
 * reach: each looks every ten seconds, and what another one sees stays open.
 */
export const GONE = statement<GoneValues, ResolvedFinding>(
  'finding_gone',
  `with gone as (
     update findings f set resolved_at = now() where resolved_at is null and not (id = any($1::bigint[]))
        and ($8::timestamptz is null or f.last_seen_at < $8::timestamptz or f.last_seen_at > clock_timestamp())
        and not (kind = any($2) and (${isOneOf('$3', '$4')} or ${RECLAIM_UNDECIDED}))
        and not (kind = any($5) and ${isOneOf('$6', '$7')} and last_seen_at between now() - interval '1 hour' and clock_timestamp())
        and not coalesce(subject_type = 'delegated_resource' and wallet_id = any($9::uuid[]), false)
        and not (kind = 'signer_unavailable' and last_seen_at between now() - interval '1 minute' and clock_timestamp())
        and kind <> 'wallet_used' and not (${IS_OF_REMOVED})
     returning kind, subject, wallet_id, receiver)
   select gone.kind, gone.subject, gone.wallet_id, gone.receiver, w.name as wallet from gone left join pool_wallets w on w.id = gone.wallet_id`,
);

/** An operator has decided what it was about. */
export const DECIDED = statement<[kind: string]>(
  'finding_decided',
  `update findings set resolved_at = now() where kind = $1 and resolved_at is null`,
);

/** To the microsecond, as the rows have it. */
export const NOW = statement<[], { now: string }>('finding_now', 'select clock_timestamp()::text as now');

export const OPEN_IDS = statement<[], { id: bigint; kind: string; subject: string }>(
  'finding_open_ids',
  `select id, kind, subject from findings where resolved_at is null`,
);

/** True of a finding `f` with its wallet `w` if nothing can put it right, so that it would be found for ever. */
const CAN_BE_ACKNOWLEDGED = `(f.resolved_at is null and (f.kind in ('shortage', 'wallet_used') or w.removed_at is not null))`;

/** First, as those who keep what a wallet was used for have it: they lock the wallet, then its findings. */
export const LOCK_WALLET = statement<[id: bigint], { id: string }>(
  'finding_lock_wallet',
  `select w.id from pool_wallets w join findings f on f.wallet_id = w.id where f.id = $1 for no key update of w`,
);

export const LOCK = statement<[id: bigint], LockedFinding>(
  'finding_lock',
  `select f.kind, f.subject, f.amount_sun, f.wallet_id, f.resolved_at is not null as is_resolved,
          f.acknowledged_at is not null as is_acknowledged, ${CAN_BE_ACKNOWLEDGED} as can_be_acknowledged
     from findings f left join pool_wallets w on w.id = f.wallet_id where f.id = $1 for update of f`,
);

const TEXTS = `f.kind, f.subject, f.subject_type, f.subject_id, f.wallet_id, w.name as wallet, f.receiver, f.reason_code, f.parameters,
  f.reason, f.next_step, f.action, f.action_code, f.note`;
const VIEW = `f.id, ${TEXTS}, ${utcMicroseconds('f.first_seen_at')} as first_seen_at, ${utcMicroseconds('f.last_seen_at')} as last_seen_at,
  ${utcMicroseconds('f.resolved_at')} as resolved_at, ${utcMicroseconds('f.acknowledged_at')} as acknowledged_at`;

export const LIST = statement<[resolvedToo: boolean, limit: number | null], FindingView>(
  'finding_list',
  `select ${VIEW} from findings f left join pool_wallets w on w.id = f.wallet_id
    where $1::boolean or f.resolved_at is null order by f.first_seen_at desc, f.id desc limit $2::bigint`,
);

/** By the clock of this moment, after the wallet is locked: later than all that was kept while it waited for that. */
export const ACKNOWLEDGE = statement<[id: bigint, note: string], FindingView>(
  'finding_acknowledge',
  `with f as (
     update findings set acknowledged_at = clock.at, resolved_at = clock.at, note = $2, amount_sun = coalesce(amount_sun, 0)
       from (select clock_timestamp() as at) clock where id = $1
     returning id, kind, subject, subject_type, subject_id, wallet_id, receiver, reason_code, parameters, reason, next_step,
               action, action_code, note, first_seen_at, last_seen_at, resolved_at, acknowledged_at)
   select ${VIEW} from f left join pool_wallets w on w.id = f.wallet_id`,
);

const ROW = `f.id, ${TEXTS}, f.first_seen_at, f.last_seen_at, f.resolved_at, f.amount_sun, f.acknowledged_at,
  ${CAN_BE_ACKNOWLEDGED} as can_be_acknowledged`;
type PageValues = [limit: number, before: bigint | null];

/** By the key alone, and without a choice between two conditions: a plan that serves every page begins at the right row. */
const page = (name: string, where: string) =>
  statement<PageValues, FindingRow>(
    name,
    `select ${ROW} from findings f left join pool_wallets w on w.id = f.wallet_id
      where ${where} and f.id < coalesce($2::bigint, 9223372036854775807)
      order by f.id desc limit $1`,
  );
export const OPEN_PAGE = page('panel_findings_open', 'f.resolved_at is null');
export const WHOLE_PAGE = page('panel_findings_all', 'true');

export const TO_ACKNOWLEDGE = statement<[id: bigint], FindingRow>(
  'panel_finding_to_acknowledge',
  `select ${ROW} from findings f left join pool_wallets w on w.id = f.wallet_id where f.id = $1 and ${CAN_BE_ACKNOWLEDGED}`,
);

/** All: which of them keep their wallet from lending is decided by kind, and a stolen key leaves as many as its thief likes. */
export const OPEN_OF_WALLET = statement<[walletId: string], FindingRow>(
  'panel_findings_of_wallet',
  `select ${ROW} from findings f left join pool_wallets w on w.id = f.wallet_id
    where f.wallet_id = $1 and f.resolved_at is null order by f.id desc`,
);

export const COUNT_OPEN_OF_WALLET = statement<[walletId: string], { findings: number }>(
  'finding_count_open_of_wallet',
  `select count(*)::integer as findings from findings f
    where f.wallet_id = $1 and f.resolved_at is null and ${OUTLIVES_WALLET}`,
);

/** Counts of open findings, which are few. */
export interface OpenFindings {
  readonly kind: string;
  readonly wallet_id: string | null;
  readonly findings: number;
}

export const OPEN_BY_WALLET = statement<[], OpenFindings>(
  'panel_findings_by_wallet',
  `select kind, wallet_id, count(*)::integer as findings from findings where resolved_at is null group by kind, wallet_id`,
);

export const COUNT_OPEN = statement<[], { findings: number }>(
  'panel_overview_findings',
  `select count(*)::integer as findings from findings where resolved_at is null`,
);
