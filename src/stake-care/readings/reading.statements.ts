import { statement } from '../../database/statement';
import { PERIOD_MS } from '../care-periods';
import { OPERATION_KINDS } from '../stake-operation';
import type { ReadingRow } from './reading-row';

/** By machine. A fault that an instance has seen a day ago is left out: it may have ended, or another one has read the key since. */
export const KEY_FAULT = `
  (select string_agg(case when f.key = '' then f.value ->> 'reason' else 'on ' || f.key || ': ' || (f.value ->> 'reason') end, '; ' order by f.key)
     from jsonb_each(c.key_faults) f
    where (f.value ->> 'at_ms')::bigint > coalesce(r.read_ms, 0) - 86400000)`;

export const READINGS = statement<[], ReadingRow>(
  'stake_readings',
  `select w.id, w.name, w.address, w.state, c.wallet_id is not null as has_care, ${KEY_FAULT} as key_fault,
          coalesce(r.voted_for, '[]'::jsonb) || coalesce((select jsonb_agg(v ->> 'witness') from jsonb_array_elements(c.votes) v), '[]'::jsonb) as witnesses,
          r.read_ms, coalesce(r.power, 0) as power, coalesce(r.idle_votes, 0) as idle_votes, coalesce(r.reward_sun, 0) as reward_sun,
          coalesce(r.ripe_sun, 0) as ripe_sun, r.idle_since_ms, r.reward_since_ms, r.ripe_since_ms
     from pool_wallets w left join stake_care c on c.wallet_id = w.id left join stake_readings r on r.wallet_id = w.id
    where w.removed_at is null and w.role = 'delegate' order by w.created_at, w.name`,
);

/** An hour of block time. */
const LONGEST_MS = 3_600_000;

/**
 * Looked at a while ago, or never; or something has become final that the look did not show, after which more is to be done. After each look
 * that fails the next one waits twice as long, from half a minute on. What was noted in the future was noted while that clock was ahead. By block
 * time it is due too: rewards and unfreezing go by that, which in a local chain passes faster than the database's clock.
 */
export const DUE = statement<[everyMs: number, othersMs: number, blockMs: number | null], { id: string }>(
  'stake_readings_due',
  `select w.id
     from pool_wallets w left join stake_care c on c.wallet_id = w.id left join stake_readings r on r.wallet_id = w.id
          cross join lateral (select case when c.wallet_id is null then $2::integer else $1::integer end as every_ms) e
          cross join lateral (select case when r.failures = 0 then e.every_ms
                                          else least(e.every_ms, 15000 * 2 ^ least(r.failures, 10)) end as wait_ms) p
    where w.removed_at is null and w.role = 'delegate'
      and (r.tried_at is null
           or r.tried_at not between clock_timestamp() - p.wait_ms * interval '1 millisecond' and clock_timestamp()
           or r.failures = 0 and ($3::bigint - r.read_ms >= ${LONGEST_MS} or $3::bigint / ${PERIOD_MS} > r.read_ms / ${PERIOD_MS})
           or r.failures = 0 and exists (select from stake_operations o
                                          where o.wallet_id = w.id and o.kind = any('{${OPERATION_KINDS.join(',')}}') and o.state = 'final'
                                            and o.block_number > r.read_block))`,
);

export const READ = statement<
  [
    walletId: string,
    atMs: number,
    power: bigint,
    idleVotes: bigint,
    isIdle: boolean,
    rewardSun: bigint,
    isRewardDue: boolean,
    ripeSun: bigint,
    votedFor: string,
    block: number,
  ]
>(
  'stake_readings_read',
  `insert into stake_readings as r (wallet_id, tried_at, failures, read_ms, power, idle_votes, reward_sun, ripe_sun, idle_since_ms,
                                    reward_since_ms, ripe_since_ms, voted_for, read_block)
   values ($1, clock_timestamp(), 0, $2::bigint, $3, $4, $6, $8::bigint, case when $5::boolean then $2::bigint end,
           case when $7::boolean then $2::bigint end, case when $8::bigint > 0 then $2::bigint end, $9::jsonb, $10)
   on conflict (wallet_id) do update
     set tried_at = excluded.tried_at, failures = 0, read_ms = excluded.read_ms, power = excluded.power, idle_votes = excluded.idle_votes,
         reward_sun = excluded.reward_sun, ripe_sun = excluded.ripe_sun,
         idle_since_ms = case when $5::boolean then coalesce(r.idle_since_ms, $2::bigint) end,
         reward_since_ms = case when $7::boolean then coalesce(r.reward_since_ms, $2::bigint) end,
         ripe_since_ms = case when $8::bigint > 0 then coalesce(r.ripe_since_ms, $2::bigint) end,
         voted_for = excluded.voted_for, read_block = excluded.read_block`,
);

export const NOTE_FAILURE = statement<[walletId: string]>(
  'stake_readings_note_failure',
  `insert into stake_readings as r (wallet_id, tried_at, failures) values ($1, clock_timestamp(), 1)
   on conflict (wallet_id) do update set tried_at = excluded.tried_at, failures = least(r.failures, 1000) + 1`,
);

export const NOTE_KEY_FAULT = statement<
  [walletId: string, cleared: readonly string[], place: string, reason: string | null, atMs: number]
>(
  'stake_care_note_key_fault',
  `update stake_care
      set key_faults = (key_faults - $2::text[])
                       || case when $4::text is null then '{}'::jsonb
                               else jsonb_build_object($3::text, jsonb_build_object('reason', $4::text, 'at_ms', $5::bigint)) end
    where wallet_id = $1`,
);
