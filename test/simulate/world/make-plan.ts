import { SeededRandom } from '../kernel/seeded-random';
import type { Plan, PlannedUser } from './plan';
import { planCare, planStakeActs } from './plan-care';
import { planSigner, planSignerTrouble } from './plan-signer';
import { DEPOSIT_SETTINGS, planDeposits, planFalseBlocks } from './plan-deposits';
import { planAfterwards, planOrders } from './plan-orders';
import { planShort, planStranger } from './plan-strangers';
import {
  planAhead,
  planDatabase,
  planLate,
  planLiar,
  planLies,
  planLost,
  planSilent,
  planSlow,
  planStalled,
  planTooLarge,
  planTrouble,
  planUnreadable,
} from './plan-trouble';

const TEN_MINUTES_MS = 600_000;

export function makePlan(seed: number): Plan {
  const random = new SeededRandom(`plan ${seed}`);
  const instances = 1 + random.below(3);
  const nodes = 1 + random.below(2);
  const calm = random.chance(0.08);
  const users = Array.from({ length: 2 + random.below(3) }, () => planUser(random));
  // Somebody else uses the wallet; with few receivers, so that what is taken is missed by several orders.
  const isShared = random.chance(0.25);
  const receivers = Array.from(
    { length: isShared ? 1 + random.below(2) : 2 + random.below(5) },
    () => isShared || random.chance(0.85),
  );
  const choices = { users: users.length, receivers, instances };
  const actions = [...planOrders(random, choices), ...planAfterwards(choices)];
  if (!calm) actions.push(...planTrouble(random, instances, nodes));
  if (instances > 1 && random.chance(0.3)) actions.push(...planStalled(random, choices));
  if (isShared) actions.push(...planStranger(random, receivers.length));
  // Drawn from numbers of their own: every other seed stays what it was.
  const late = new SeededRandom(`late ${seed}`);
  if (instances > 1 && late.chance(0.3)) actions.push(...planLate(late, choices, nodes));
  const lost = new SeededRandom(`lost ${seed}`);
  if (lost.chance(0.15)) actions.push(...planLost(lost, choices));
  const blocks = new SeededRandom(`unreadable ${seed}`);
  if (blocks.chance(0.2)) actions.push(...planUnreadable(blocks));
  const lies = new SeededRandom(`lies ${seed}`);
  if (lies.chance(0.2)) actions.push(...planLies(lies, nodes));
  const liar = new SeededRandom(`liar ${seed}`);
  const hasLiar = nodes > 1 && liar.chance(0.3);
  if (hasLiar) actions.push(...planLiar(liar));
  const slow = new SeededRandom(`slow ${seed}`);
  const isSlow = nodes > 1 && !hasLiar && slow.chance(0.15);
  if (isSlow) actions.push(...planSlow(slow));
  const large = new SeededRandom(`large ${seed}`);
  const isLarge = nodes > 1 && !hasLiar && !isSlow && large.chance(0.25);
  if (isLarge) actions.push(...planTooLarge(large));
  const silent = new SeededRandom(`silent ${seed}`);
  if (silent.chance(0.08)) actions.push(...planSilent(silent));
  const short = new SeededRandom(`missing ${seed}`);
  if (instances > 1 && short.chance(0.1)) actions.push(...planShort(short, choices));
  const database = new SeededRandom(`database ${seed}`);
  if (database.chance(0.25)) actions.push(...planDatabase(database, instances));
  if (database.chance(0.1)) actions.push(...planAhead(database, choices));
  const settings = {
    RECLAIM_DELAY: random.pick(['20s', '40s', '60s']),
    RECLAIM_SWEEP: '5s',
    DELEGATION_ANSWER: random.pick(['included', 'accepted']),
    BILLING_VARIANT: random.pick(['A', 'B']),
    ANSWER_TIMEOUT: random.pick(['5s', '10s']),
    RECONCILE_EVERY: '60s',
  };
  const clocksOffMs = Array.from({ length: instances }, () =>
    random.chance(0.3) ? random.pick([-1, 1]) * TEN_MINUTES_MS : Math.floor(random.between(-200, 200)),
  );
  const walletOrders = Array.from({ length: 1 + random.below(2) }, () => 6 + random.below(50));
  const stake = new SeededRandom(`stake care ${seed}`);
  const care = stake.chance(0.15)
    ? walletOrders.map((_, at) => (at > 0 && stake.chance(0.3) ? null : planCare(stake)))
    : null;
  if (care) actions.push(...planStakeActs(stake, care, instances));
  const signing = new SeededRandom(`signer ${seed}`);
  const signer = signing.chance(0.15) ? planSigner(signing, walletOrders.length) : null;
  if (signer && !calm) actions.push(...planSignerTrouble(signing));
  const deposits = new SeededRandom(`deposits ${seed}`);
  // A block that is settled by the word of nodes has no deposit: an operator decides.
  const isAllShown = actions.every(({ kind }) => kind !== 'unreadable-blocks');
  const hasDeposits = isAllShown && deposits.chance(0.2);
  if (hasDeposits) {
    actions.push(...planDeposits(deposits, users.length));
    if (nodes > 1 && !hasLiar && !isSlow && !isLarge && deposits.chance(0.3)) actions.push(planFalseBlocks(deposits));
  }
  return {
    seed,
    settings: { ...settings, ...(hasDeposits && DEPOSIT_SETTINGS) },
    clocksOffMs,
    walletOrders,
    ...(care && { care }),
    ...(signer && { signer }),
    nodes,
    // A gateway would pass lies, and answers that are too large, on as another node's word.
    gateway: nodes > 1 && random.chance(0.5) && !isLarge && actions.every(({ kind }) => kind !== 'node-lies'),
    users,
    receivers,
    actions: actions.toSorted((a, b) => a.atMs - b.atMs),
  };
}

function planUser(random: SeededRandom): PlannedUser {
  return {
    balanceTrx: 10 + random.below(150),
    quotaTransactions: random.chance(0.5) ? 1 + random.below(20) : 0,
    dailyLimitTrx: random.chance(0.4) ? 6 + random.below(60) : null,
    hasWebhook: random.chance(0.6),
  };
}
