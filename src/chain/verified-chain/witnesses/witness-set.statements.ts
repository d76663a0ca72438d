import { statement } from '../../../database/statement';
import type { Witness } from '../../proof/judge';
import type { Followed } from '../../proof/proved-witnesses';

export interface StoredWitnesses {
  readonly witnesses: readonly Witness[];
  readonly valid_until_ms: bigint;
  readonly read_at: Date;
  readonly offered: readonly Witness[] | null;
  readonly offered_at: Date | null;
  /** By which an operator names the offered set; null without one. */
  readonly digest: string | null;
  readonly followed: Followed | null;
  readonly named: readonly string[] | null;
  readonly version: number;
  /** Block times of the newest changes. */
  readonly changed_at_ms: readonly number[];
  /** Witnesses that lost a place by them, with the key of then. */
  readonly gone: readonly Witness[];
}

/** More than may change in a period. */
const CHANGES_COUNTED = 200;
/**
 * 32 digits of SHA-256 over the set in the order of addresses, made by one statement for those who show it and those who compare it:
 * a set that nodes offer a moment later has another.
 */
const DIGEST = `(select left(encode(sha256(convert_to(string_agg((w->>'address') || ' ' || (w->>'signing_address'), ','
                          order by (w->>'address') collate "C"), 'UTF8')), 'hex'), 32)
                   from jsonb_array_elements(case when jsonb_typeof(offered) = 'array' then offered else '[]' end) w)`;
const COLUMNS = `witnesses, valid_until_ms, read_at, offered, offered_at, ${DIGEST} as digest, followed, named, version,
  (select coalesce(jsonb_agg(c.time_ms), '[]')
     from (select time_ms from witness_changes order by id desc limit ${CHANGES_COUNTED}) c) as changed_at_ms,
  (select coalesce(jsonb_agg(c.gone), '[]')
     from (select gone from witness_changes where gone is not null order by id desc limit ${CHANGES_COUNTED}) c) as gone`;

export const READ = statement<[], StoredWitnesses>('witness_set_read', `select ${COLUMNS} from witness_set`);

/** What all nodes have named takes the place of a first set that only some had named. Any other is changed by the chain alone. */
const IS_AGREED_ON = 'kept.valid_until_ms = 0 and excluded.valid_until_ms > 0 and kept.witnesses <> excluded.witnesses';
export const KEEP = statement<[witnesses: string, validUntilMs: number, named: string]>(
  'witness_set_keep',
  `insert into witness_set as kept (id, witnesses, valid_until_ms, named) values (1, $1, $2, $3)
   on conflict (id) do update
     set witnesses = case when ${IS_AGREED_ON} then excluded.witnesses else kept.witnesses end,
         followed = case when ${IS_AGREED_ON} then null else kept.followed end,
         version = kept.version + case when ${IS_AGREED_ON} then 1 else 0 end,
         valid_until_ms = case when excluded.valid_until_ms = 0 then kept.valid_until_ms else excluded.valid_until_ms end,
         read_at = now(), offered = null, offered_at = null, named = excluded.named`,
);
export const OFFER = statement<[witnesses: string, instead: string, named: string]>(
  'witness_set_offer',
  `insert into witness_set (id, witnesses, valid_until_ms, offered, offered_at, named) values (1, $2, 0, $1, now(), $3)
   on conflict (id) do update set offered = excluded.offered, offered_at = now(), named = excluded.named`,
);
/**
 * Accepts an offered set if it is still as it was shown. For a period: nodes that go on disagreeing are not asked the next moment about
 * what an operator has decided.
 */
export const ACCEPT = statement<[digest: string], StoredWitnesses>(
  'witness_set_accept',
  `update witness_set
      set witnesses = offered, followed = null, version = version + 1, read_at = now(), offered = null, offered_at = null,
          valid_until_ms = extract(epoch from now() + interval '6 hours') * 1000
    where offered is not null and ${DIGEST} = $1 returning ${COLUMNS}`,
);

/** Changes a set that no other instance has changed meanwhile. Takes JSON. */
export const FOLLOW = statement<
  [witnesses: string, followed: string, changes: string, version: number],
  { kept: bigint }
>(
  'witness_set_follow',
  `with kept as (
     update witness_set set witnesses = $1::jsonb, followed = $2::jsonb, version = version + 1 where version = $4 returning id
   ), noted as (
     insert into witness_changes (number, time_ms, joined, gone)
     select c.number, c."timeMs", nullif(c.joined, 'null'::jsonb), nullif(c.gone, 'null'::jsonb)
       from jsonb_to_recordset($3::jsonb) as c (number bigint, "timeMs" bigint, joined jsonb, gone jsonb)
      where exists (select from kept)
   )
   select count(*) as kept from kept`,
);

/** What was followed belongs to a branch that is gone. */
export const BEGIN_ANEW = statement(
  'witness_set_begin_anew',
  'update witness_set set followed = null, version = version + 1',
);

export interface RecentWitnessChange {
  readonly number: bigint;
  readonly joined: Witness | null;
  readonly gone: Witness | null;
  readonly created_at: Date;
}

/** By the database's clock: what happened within a day. */
export const RECENT_CHANGES = statement<[], RecentWitnessChange>(
  'witness_changes_recent',
  `select number, joined, gone, created_at from witness_changes
    where created_at > now() - interval '1 day' order by id desc limit ${CHANGES_COUNTED}`,
);
