/**
 * The bars of what must survive: what holds, the tests that show it, and how much of it is one of `unit`. A test counts by `record()`
 * (test/support/bar.ts); a bar without such a count is shown by tests of the suite as they stand, which say in `stands` how much that is.
 * `workers`: tests that run side by side, where nothing goes by the time that they take. `sources`: what the result is of, besides the service
 * and what the tests import. A bar with `run` has commands of its own, the last of which leaves the result in .safety/; `less` runs a part.
 */
export const BARS = [
  {
    bar: 1,
    holds: 'entries add up to balances, holds equal open orders, nothing is negative',
    of: 'after every test',
    stands:
      'steps of money at random, in parallel, the ledger checked after every round; in a run of the suite, beside this: the money in each database on the server of the tests when its test drops it, but in ten files which break it on purpose',
    specs: ['test/balance/ledger.property.spec.ts'],
  },
  {
    bar: 2,
    holds:
      'killed at every crash point, and asked again: one order each, each charge has one final delegation, and each delegation its charge or was taken back; what a caller was told before stands. Leases and waits are ended by hand but for one kill at each point, after which all is decided within 5 minutes of chain time. A signer that is killed at any point costs no more than a refusal. Killed amid an operation on stake, it is carried out once',
    of: '1,000 orders at each of the crash points, 50 at a time',
    specs: [
      'test/safety/killed-orders.spec.ts',
      'test/safety/killed-reclaims.spec.ts',
      'test/stake-care/killed-care.spec.ts',
      'test/signer/service/kills.spec.ts',
      'test/safety/signer-faults.spec.ts',
    ],
    workers: 2,
  },
  {
    bar: 3,
    holds:
      'no node ever gets a transaction whose row is not committed, nor an operation on stake by a key that its care has no more',
    of: '100,000 txids',
    specs: ['test/safety/committed-first.spec.ts', 'test/stake-care/kept-plans.spec.ts'],
  },
  {
    bar: 4,
    holds: 'equal orders on one reference block, by the bytes that landed, are as many transactions and delegations',
    of: '1,000 equal orders',
    specs: ['test/safety/equal-orders.spec.ts'],
  },
  {
    bar: 5,
    holds:
      'whatever a node, the chain or a stranger does to a delegation or its reclaim: what was answered is what stands, a failure is never charged and a success once, for what is final; rows say what the chain shows; no second signature reaches a node; stake is free only when that is proved. A node that lies about votes or rewards costs bandwidth at most. A signer that hangs, is late, is at its limit, or has another key or signature costs a refusal at most',
    of: 'every fault, taken or not, 50 times',
    specs: [
      'test/safety/node-faults.spec.ts',
      'test/safety/chain-faults.spec.ts',
      'test/safety/reclaim-faults.spec.ts',
      'test/stake-care/lying-node.spec.ts',
      'test/signer/service/faults.spec.ts',
      'test/safety/signer-faults.spec.ts',
    ],
  },
  {
    bar: 6,
    holds:
      'parallel identical requests of one key are one order, one charge at most, equal answers; at least 9 of 10 keys are charged',
    of: '1,000 keys with 100 requests on 3 instances',
    specs: ['test/safety/idempotency-keys.spec.ts'],
  },
  {
    bar: 7,
    holds: 'funds for some orders let exactly so many through',
    of: '200 parallel orders on funds for 50',
    specs: ['test/safety/funds-and-stake.spec.ts', 'test/billing/billing.spec.ts'],
  },
  {
    bar: 8,
    holds: 'stake for some orders lets at most so many through, and none is charged without a delegation',
    of: '200 parallel orders on stake for 50, while another holder of the key delegates and takes back; then exactly 50 with a second wave',
    specs: ['test/safety/funds-and-stake.spec.ts', 'test/chain/pool/wallets/oversubscription.spec.ts'],
  },
  {
    bar: 9,
    holds: 'a connection cut between COMMIT and its acknowledgement loses and doubles nothing',
    of: '1,000 cuts, a tenth at least each of orders, answers, settlements and reclaims; and those that are before COMMIT arrives',
    specs: ['test/safety/lost-commits.spec.ts', 'test/database/unacknowledged-commits.spec.ts'],
  },
  {
    bar: 10,
    holds: 'a database that is away: clear 500s, nothing sent without a row, normal within 10 s',
    of: 'away for 60 s',
    specs: ['test/database/database-away.spec.ts'],
  },
  {
    bar: 11,
    holds: 'a node that is away: nothing lost or doubled, the backlog done within 5 minutes of chain time',
    of: 'away for 30 minutes',
    stands: '30 minutes of chain time with 100 delegated orders whose time comes meanwhile; pauses of hours',
    specs: ['test/chain/verified-chain/long-outage.spec.ts', 'test/chain/verified-chain/long-pause.spec.ts'],
  },
  {
    bar: 12,
    holds:
      'several instances take back each due order once; what a killed one had claimed is taken over once its lease of 30 s has run out, with the next sweep (every 0.5 s here). Of all instances one cares for stakes at a time, and each act is done once',
    of: '10,000 due reclaims on 1, 3 and 10 instances',
    specs: ['test/safety/due-reclaims.spec.ts', 'test/stake-care/several-instances.spec.ts'],
  },
  {
    bar: 13,
    holds:
      'an instance that is stopped past its lease, amid a request or amid reclaims, and continued changes nothing late, nor signs an operation on stake that was planned too long ago',
    of: 'an instance stopped past its lease',
    stands:
      'SIGSTOP and SIGCONT of a process amid a request, its lease ended by hand, and of a sweeper past its lease; every claim with an old token',
    specs: [
      'test/delegation/several-instances.spec.ts',
      'test/delegation/placing/fenced-claims.spec.ts',
      'test/stake-care/kept-plans.spec.ts',
    ],
  },
  {
    bar: 14,
    holds: 'at every final block the chain shows the sum of the orders that are delegated then',
    of: '2 to 5 overlapping orders, the reclaim killed and tried again',
    stands:
      'five overlapping orders, then four, three and two as each is taken back, a kill at each step of four reclaims, every final block by the chain’s own record',
    specs: ['test/delegation/reclaim/overlapping-reclaims.spec.ts'],
  },
  {
    bar: 15,
    holds:
      'none is taken back within an hour of its delegation, from block to block on chain; on one instance, 99 of 100 within 30 s after',
    of: '10,000 orders',
    specs: ['test/safety/due-reclaims.spec.ts'],
  },
  {
    bar: 16,
    holds: 'planted anomalies are all found, and nothing else is',
    of: '100 anomalies of 8 kinds among 100,000 clean rows',
    stands: '104 anomalies (13 of each of 8 kinds) among 100,000 clean rows of each table',
    specs: [
      'test/reconciliation/reconciler.spec.ts',
      'test/reconciliation/reconciler-extent.spec.ts',
      'test/reconciliation/money-checks.spec.ts',
    ],
  },
  {
    bar: 17,
    holds:
      'the seeded simulation finds no violation, and catches every planted bug; five minutes of chain time after the last trouble it is settled what became of each order and its money',
    of: '1,000 seeds, every planted bug',
    run: {
      commands: [
        ['scripts/simulate.mjs', '--seeds', '1000'],
        ['scripts/simulate.mjs', '--planted'],
      ],
      leaves: 'simulate.json',
      less: 'npm run simulate -- --seeds 10',
    },
    sources: ['test/simulate'],
  },
  {
    bar: 18,
    holds: 'one failing reclaim or poisoned row delays no other',
    of: 'one failing reclaim, one poisoned row',
    stands: 'wallets whose reclaims are refused or whose key is gone beside one that works; rows that cannot be read',
    specs: ['test/delegation/reclaim/refused-reclaims.spec.ts', 'test/chain/observer/poisoned-row.spec.ts'],
  },
  {
    bar: 19,
    holds:
      'every route with every permission, another user’s ids and fields that it does not have: nothing unexpected succeeds',
    of: 'every route',
    stands: 'every route of the router, each in all its cases',
    specs: ['test/access/every-route.spec.ts', 'test/access/every-panel-route.spec.ts'],
  },
  {
    bar: 20,
    holds:
      'rate limits over several instances are kept (RATE_LIMIT_STORE=postgres; with memory, each instance has its own)',
    of: 'over 3 instances, within 5 %',
    stands: '3 instances, 600 calls a minute, five windows of a crowd, each ended by hand: exactly as many',
    specs: ['test/rate-limit/several-instances.spec.ts'],
  },
  {
    bar: 21,
    holds:
      'no key, token or password in any answer, page, log line, metric, trace or row; no SQL and no stack in an answer',
    of: 'every error body, log line and dump',
    stands:
      'refused requests, wrong nodes, a wrong key, a node’s gateway with a key and a password that fails, no database; then every answer, page, log line, metric, trace and row',
    specs: ['test/access/secrets.spec.ts'],
  },
  {
    bar: 22,
    holds:
      'SIGTERM and rolling restarts under load lose and double no order; what was read is answered, and one retry at another instance meets no error. Kills lose and double none either',
    of: 'SIGTERM and rolling restart under load',
    stands:
      'SIGTERM to one of two instances with 5 orders in flight at each; both replaced in turn under 10 callers; SIGTERM amid reclaims and checks; 6 kills of two instances under 20 callers',
    specs: [
      'test/bootstrap/rolling-restart.spec.ts',
      'test/bootstrap/shutdown.spec.ts',
      'test/delegation/random-kills.spec.ts',
    ],
  },
  {
    bar: 23,
    holds:
      'acts of a stranger or a customer cost others little: the service remembers none of them, another customer’s call is answered within 5 s and the process grows by less than 100 MB meanwhile, and no host gets more than 10 tests a minute and one balance.low in ten minutes of an account',
    of: '2,000 time zones in odd capitals, 200 refused passwords at one invitation, 200 tests and thresholds of a webhook, 100,000 removed webhooks, 80,000 requests whose answers stay unread',
    specs: ['test/safety/costs-to-others.spec.ts'],
  },
  {
    bar: 24,
    holds:
      'while the first of two nodes takes 1.7 s for every answer, each order is answered `included` within a second of the block that has its delegation, and none is refused',
    of: '10 minutes with an order every 1.5 s, on blocks of 3 s',
    specs: ['test/safety/slow-node.spec.ts'],
  },
  {
    bar: 25,
    holds:
      'each deposit that a final block has is credited once and to the sun, by the chain’s own record; the trial balance closes, and sweeps bring all of it to the treasury',
    of: '10,000 deposits of TRX and USDT, with kills, forks and a day of blocks that no instance was there for',
    specs: ['test/safety/all-deposits.spec.ts', 'test/deposits/killed-deposits.spec.ts'],
  },
  {
    bar: 'soak',
    holds:
      'hours of business leave nothing behind but what orders leave: memory, descriptors, sessions, tables and calls stay flat',
    of: '8 hours of chain time in 20 minutes',
    run: {
      commands: [['scripts/soak/main.mjs']],
      leaves: 'soak.json',
      less: 'npm run soak -- --hours 1',
    },
    sources: ['scripts/soak'],
  },
];
