import { bug, type Bug } from './patch';

const HOLDS = 'billing/hold.statements.ts';
const SETTLED_HOLDS = 'billing/settle-hold.statements.ts';
const ANSWER = 'delegation/placing/answer-order.ts';
const SETTLE = 'delegation/settlement/settle-order.ts';
const EVENTS = 'webhooks/event-outbox.ts';
const EVENTS_WITH_SQL = [
  {
    file: `src/${EVENTS}`,
    from: "import type { SqlTransaction } from '../database/sql';",
    to: "import { Sql, type SqlTransaction } from '../database/sql';",
  },
  {
    file: `src/${EVENTS}`,
    from: 'private listener: () => void = () => undefined;',
    to: 'private listener: () => void = () => undefined;\n  constructor(private readonly sql: Sql) {}',
  },
];

/** Bugs about holds, charges, answers and webhooks. */
export const MONEY_BUGS: readonly Bug[] = [
  bug(
    'release-on-time-out',
    ANSWER,
    'await this.billing.release(tx, claim.id);',
    "await this.billing.release(tx, claim.id);\n          await this.orders.changeStates(tx, [{ id: claim.id, detail: {} }], 'failed');",
  ),
  bug('hold-kept-with-a-failure', ANSWER, 'await this.billing.release(tx, claim.id);', ''),
  bug('hold-kept-with-a-death', SETTLE, 'await this.billing.release(tx, row.subject_id);', ''),
  bug('failure-charged', SETTLE, "const refused = order.answer === 'failure';", 'const refused = false;'),
  bug(
    'charged-when-included',
    SETTLE,
    "this.changeStates(tx, delegations, 'included'),",
    "this.changeStates(tx, delegations, 'included'),\n      ...delegations.map((row) => this.billing.take(tx, row.subject_id)),",
  ),
  bug('never-charged', SETTLE, '...toCharge.map(({ id }) => this.billing.take(tx, id)),', ''),
  bug(
    'quota-paid-twice',
    SETTLED_HOLDS,
    'set used_energy = s.used_energy + h.quota_energy, held_energy',
    'set used_energy = s.used_energy + 2 * h.quota_energy, held_energy',
  ),
  bug(
    'charge-without-its-entry',
    SETTLED_HOLDS,
    '-amount_sun, balance_sun, $1 from account\n',
    '-amount_sun, balance_sun, $1 from account where random() < 0\n',
  ),
  bug('hold-without-the-lock-of-its-account', HOLDS, 'order by user_id for update ${locked}', 'order by user_id'),
  bug(
    'token-day-not-given-back',
    SETTLED_HOLDS,
    'set used_sun = greatest(d.used_sun - h.counted_sun, 0)',
    'set used_sun = d.used_sun',
  ),
  bug(
    'daily-limit-ignored',
    HOLDS,
    "when ${LIST_PRICE} > t.daily_limit_sun - coalesce(used.used_sun, 0) then 'daily_limit'",
    "when false then 'daily_limit'",
    {
      file: `src/${HOLDS}`,
      from: '<= coalesce((select due.daily_limit_sun from due where due.token_id = d.token_id), ${LARGEST_WHOLE})',
      to: '<= ${LARGEST_WHOLE}',
    },
  ),
  bug(
    'released-twice',
    SETTLED_HOLDS,
    "update holds set state = 'released', settled_at = clock_timestamp()\n      where delegation_id = $1 and state = 'held'",
    "update holds set state = 'released', settled_at = clock_timestamp()\n      where delegation_id = $1",
  ),
  bug(
    'answers-swapped-in-a-batch',
    ANSWER,
    'return successes.map(({ claim }) => byClaim.get(`${claim.id} ${claim.epoch}`) ?? null);',
    'return successes.map(({ claim }) => byClaim.get(`${claim.id} ${claim.epoch}`) ?? null).toReversed();',
  ),
  bug(
    'webhook-before-its-commit',
    EVENTS,
    'await tx.execute(WRITE,',
    'await this.sql.execute(WRITE,',
    ...EVENTS_WITH_SQL,
  ),
  bug(
    'webhook-written-behind-its-commit',
    EVENTS,
    'await tx.execute(WRITE, [JSON.stringify(rows)]);',
    'tx.afterCommit(() => void this.sql.execute(WRITE, [JSON.stringify(rows)]).catch(() => undefined));',
    ...EVENTS_WITH_SQL,
  ),
  bug(
    'webhook-refused-taken-as-delivered',
    'webhooks/delivery/record-attempt.ts',
    'status !== null && status >= 200 && status < 300',
    'status !== null',
  ),
  bug('webhook-of-a-reclaim-forgotten', 'delegation/order-events.ts', "reclaimed: 'delegation.reclaimed',", ''),
];
