import { plural } from '../../../common/plural';
import { changesIn, type FindingMessages, trx } from '../../finding-messages';
import { whatWasDone } from './acts';
import { MONEY_REASONS } from './money-reasons';

const COMPARE = 'Compare the order (delegation:show) with the transaction in a block explorer. The chain is right.';

const shows = (lentSun: string) => `the chain shows ${trx(lentSun)} TRX delegated`;
const atLeast = ({ lent_sun: lent, least_sun: least }: { lent_sun: string; least_sun: string }) =>
  `${shows(lent)}, but the orders account for at least ${trx(least)}`;
const atMost = ({ lent_sun: lent, most_sun: most }: { lent_sun: string; most_sun: string }) =>
  `${shows(lent)}, but the orders account for at most ${trx(most)}`;

const PLACES: Readonly<Record<string, string>> = {
  server: 'PostgreSQL server',
  database: 'database on its server',
  directory: 'data directory',
};

const CHANGES: Readonly<Record<string, string>> = {
  balance: 'balance in TRX',
  energy_stake: 'stake for energy in TRX',
  bandwidth_stake: 'stake for bandwidth in TRX',
  vote_stake: 'stake for votes in TRX',
  lent_energy: 'delegated stake for energy in TRX',
  lent_bandwidth: 'delegated stake for bandwidth in TRX',
  permissions: 'permissions',
  last_operation: 'last operation',
  used_block: 'block of the last transaction that this service did not make',
};

export const REASONS: FindingMessages['reasons'] = {
  ...MONEY_REASONS,
  stuck_transaction: {
    reason: ({ purpose, tx_id: txId, state, expired_at: at }) =>
      `its ${purpose} ${txId} is ${state} although it expired at ${at}`,
    nextStep:
      'Check that the node answers (doctor) and that the service runs: its block follower settles what the chain has decided.',
  },
  abandoned_order: {
    reason: ({ since }) => `has been activating since ${since}`,
    nextStep: 'Start the service: it closes orders whose instance died before their delegation was signed.',
  },
  unsigned_order: {
    reason: ({ state }) => `is ${state} without a delegation transaction`,
    nextStep:
      'Look at the history of the order (delegation:show): after its activation, an order always has a signed delegation.',
  },
  overdue_reclaim: {
    reason: ({ state, since, error }) => `${state} since ${since}${error === null ? '' : `: ${error}`}`,
    nextStep:
      'Read last_error in delegation:show, fix its cause (key, permission, bandwidth or node), then run reclaim:run.',
  },
  shortage: {
    reason: ({ shortage_sun: shortage, stake_sun: stake }) =>
      `${trx(shortage)} of ${trx(stake)} TRX could not be taken back, because they were not delegated any more`,
    nextStep:
      'After a restore or a fail-over that lost rows, the service itself took the stake back earlier. Otherwise another holder of the wallet key took it back: find out who, and rotate the key if it is stolen. Then acknowledge the finding: reconcile gives it an id, finding:list shows the id, finding:acknowledge closes it.',
  },
  orphan_transaction: {
    reason: ({ purpose, amount_sun: amount }) => `a ${purpose} of ${trx(amount)} TRX without an order`,
    nextStep:
      'Its order is gone. Restore the order from a backup, or take the stake back by hand once the transaction is final.',
  },
  wrong_amount: {
    reason: ({ stake_sun: stake, purpose, amount_sun: amount, signed_sun: signed }) =>
      `has a stake of ${trx(stake)} TRX, but its ${purpose} is for ${trx(amount)}, and the signed one is for ${trx(signed)}`,
    nextStep: COMPARE,
  },
  missing_delegation: {
    reason: ({ state, transaction_state: transaction }) => `is ${state}, but its delegation is only ${transaction}`,
    nextStep: COMPARE,
  },
  landed_although_failed: {
    reason: ({ tx_id: txId, block }) => `has failed, but its delegation ${txId} is in block ${block}`,
    nextStep: 'The user was not charged, but the stake is delegated. Take it back by hand, then correct the order.',
  },
  stake_not_released: {
    reason: ({ state }) => `is ${state} without an undelegation in a block`,
    nextStep:
      'The stake is still delegated. Stop the service, set the order back to reclaiming and start the service again. It then takes the stake back.',
  },
  hold_stuck: {
    reason: ({ held_sun: held, since }) => `has held ${trx(held)} TRX since ${since}`,
    nextStep:
      'The order should have settled: check that the block follower keeps up (metrics) and that a node answers (doctor).',
  },
  delegation_missing: {
    reason: (pair) =>
      `${atLeast(pair)}; these orders are not in the block that their rows name: ${pair.orders.join(', ')}`,
    nextStep: 'The rows are wrong (a restored backup, a change by hand): correct them before anything is charged.',
  },
  undelegation_foreign: {
    reason: (pair) => `${atLeast(pair)}; the delegation of each order is in its block`,
    nextStep:
      'After a restore or a fail-over that lost rows, the service itself took the stake back: wait until the sweeper ends the order with a shortage. Otherwise another holder of the wallet key took it back: find out who, rotate the key, then run pool:resume.',
  },
  returned_stake_lent: {
    reason: (pair) => `${atMost(pair)}; the rest is the stake of ${pair.order}, which counts as ${pair.state}`,
    nextStep: 'Stop the service and set the order back to reclaiming, or take the stake back by hand.',
  },
  delegation_double: {
    reason: (pair) => `${atMost(pair)}; the rest is exactly the stake of ${pair.order} once more`,
    nextStep:
      "The second delegation was signed with this wallet's key, not by this service. If none of you signed it, the key is stolen: give the permission to a new key now (pool:update). Then take the second stake back by hand, because the order takes back only its own.",
  },
  delegation_foreign: {
    reason: atMost,
    nextStep:
      "After a restore the stake may belong to an order that the backup lacks. Otherwise it was delegated with this wallet's key, not by this service. If none of you did it, the key is stolen: give the permission to a new key now (pool:update), then take the stake back by hand. If one of you did it, take the stake back or leave it: no order uses it.",
  },
  foreign_stake_locked: {
    reason: (pair) => `${atMost(pair)}; ${trx(pair.locked_sun)} TRX more are locked until ${pair.until}`,
    nextStep:
      'This service never locks stake: find out who has the wallet key and rotate the key now. The stake cannot be taken back before that time.',
  },
  foreign_stake_past_lock: {
    reason: (pair) =>
      `${atMost(pair)}; ${trx(pair.locked_sun)} TRX more were locked until ${pair.until} and can be taken back`,
    nextStep:
      'This service never locks stake: find out who has the wallet key, rotate it, take the stake back by hand, then run pool:resume.',
  },
  low_stake: {
    reason: ({ transactions }) =>
      `the active wallets have energy for ${plural(transactions, 'transaction', 'transactions')}`,
    nextStep: 'Stake more, add a wallet, or see pool:forecast for when stake comes back.',
  },
  low_bandwidth: {
    reason: ({ bandwidth, balance_sun: balance, orders_paid: orders }) =>
      `${bandwidth} bytes of bandwidth and ${trx(balance)} TRX pay for ${plural(orders, 'more order', 'more orders')} besides those in progress`,
    nextStep: 'Stake TRX for bandwidth, or send TRX to the wallet.',
  },
  low_trx: {
    reason: ({ balance_sun: balance, activations }) =>
      `${trx(balance)} TRX pay for ${plural(activations, 'more activation', 'more activations')}`,
    nextStep: 'Send TRX to the wallet.',
  },
  bandwidth_burned: {
    reason: ({ burned_sun: burned, brought_sun: brought, percent }) =>
      `nodes report that ${trx(burned)} TRX were burned for bandwidth in the last week: ${
        percent === '' ? 'orders brought nothing' : `${percent} % of the ${trx(brought)} TRX that orders brought`
      }`,
    nextStep: 'Stake TRX for bandwidth. stake:plan says how much.',
  },
  free_activations: {
    reason: ({ activations }) =>
      `${activations} activations in 24 hours were free because their orders were answered with a failure`,
    nextStep:
      'See why these orders failed (delegation:list --user). The account gets no activation until the oldest of them is a day old.',
  },
  wallet_refused: {
    reason: ({ refusals, until, purpose, refused_for: reason }) =>
      `the network refused ${plural(refusals, 'transaction', 'transactions in a row')}, most recently its ${purpose} for ${reason}; it takes no new orders until ${purpose === 'reclaim' ? 'a reclaim is accepted' : until}`,
    nextStep:
      "Check the wallet's key, permission, bandwidth and TRX (doctor). The service tries the wallet again by itself. pool:resume lets it take orders now.",
  },
  branch_refused: {
    reason: (of) =>
      `a longer branch up to block ${of.head_number} (${of.head_id}) undoes final block ${of.final_number} (${of.final_id})`,
    nextStep:
      'The service starts and settles nothing until this is solved. Find out which branch the network is on, and configure nodes on that branch. If you have set back the blocks of a private network yourself, run chain:accept-branch with the id of its block.',
  },
  witnesses_disagree: {
    reason: ({ differing }) => `the nodes disagree on ${differing} of the active witnesses or their keys`,
    nextStep:
      'The service keeps the set it knows, and changes it only as blocks prove. If it has none yet, it takes no orders. Compare witnesses:list with a block explorer and remove the node that is wrong. To use the other set, run witnesses:accept with the digest that witnesses:list shows.',
  },
  witnesses_changed: {
    reason: ({ changed, active }) =>
      `the nodes name other witnesses or keys than the service knows, ${changed} of ${active}: more than blocks can prove`,
    nextStep:
      "The service keeps the set it knows, and changes it only as blocks prove. Compare the nodes' set with a block explorer. Remove the node that is wrong, or run witnesses:accept with the digest that witnesses:list shows.",
  },
  block_unreadable: {
    reason: ({ number, id }) =>
      `what every node shows of block ${number} (${id}) does not lead to the root that its witness has signed`,
    nextStep:
      'Orders that may be in this block wait. The block has a field that nodes do not show, or a kind of transaction that this version cannot encode: update the service. With two nodes or more, the service accepts after 15 minutes what all of them list, if it agrees with the delegated stake. Otherwise compare the block with a block explorer, then run chain:accept-block with its height to accept what the nodes list.',
  },
  block_accepted: {
    reason: ({ number, id, accepted_by: by, blocks }) =>
      `block ${number} (${id}) could not be proved and was settled by what ${by === 'operator' ? 'nodes list, which an operator accepted' : 'all nodes list'} (such blocks in the last week: ${blocks})`,
    nextStep:
      'Compare the block with a block explorer that does not use your nodes. Orders in it have no receipt. Update the service if the network has a new kind of transaction. The finding closes a week after the last such block.',
  },
  wallet_unread: {
    reason: ({ unread_for: reason }) =>
      `the wallet could not be read in full (${reason}); its earlier findings stay, and all other wallets were compared`,
    nextStep: 'Run doctor, which asks a node for the account. If only one node fails, put another node first.',
  },
  votes_idle: {
    reason: ({ idle_votes: idle, power, since }) =>
      `${idle} of its ${power} votes have been idle since ${since} and earn nothing`,
    nextStep:
      'If the wallet has stake care, see why its votes are refused (stake:list) and whether its care names witnesses (stake:show), then run stake:vote. If it has none, set it up (stake:care) or vote by hand.',
  },
  reward_unclaimed: {
    reason: ({ reward_sun: reward, since }) => `${trx(reward)} TRX of rewards have not been claimed since ${since}`,
    nextStep:
      'If the wallet has stake care, run stake:claim. To have the service claim every day, run stake:care --claim on.',
  },
  unfrozen_ready: {
    reason: ({ ripe_sun: ripe, since }) => `${trx(ripe)} TRX have been unfrozen and ready to withdraw since ${since}`,
    nextStep:
      "If the wallet has stake care, run stake:withdraw. stake:list says why it was not done yet. If it has none, withdraw the TRX with the account's own key, or set up stake care (stake:care), which withdraws them.",
  },
  deposit_unexplained: {
    reason: ({ address, unexplained_sun: sun, unexplained_usdt: usdt, since }) =>
      `since ${since} the deposit address ${address} has held ${trx(sun)} TRX and ${usdt} USDT that no deposit explains: a contract paid them, or they came in a block without proof`,
    nextStep:
      'See in a block explorer who paid. If the customer did, run deposit:credit-unexplained --address T --asset A --amount N --note T.',
  },
  deposit_left_out: {
    reason: ({ address, number, unexplained_sun: sun, unexplained_usdt: usdt, txids, since }) =>
      `the address ${address} (0/${number}) got ${trx(sun)} TRX and ${usdt} USDT that are not credited, since ${since}, by the transactions ${txids}; after a restore the database does not know which customer has this address`,
    nextStep:
      'Find out which customer paid: ask those who miss a deposit. Then run deposit:credit-unexplained --address T --asset A --amount N --user E --note T.',
  },
  deposits_behind: {
    reason: ({ number, blocks, since }) =>
      `the search for deposits stopped after block ${number} at ${since} and is ${blocks} final blocks behind`,
    nextStep:
      'No deposit is credited until this is solved. The log names the block and why it was not read. If no node shows it in full, configure another node. If nodes show transactions that cannot be proved, run chain:accept-block.',
  },
  care_key: {
    reason: ({ fault }) => `the key of its stake care cannot do what is needed: ${fault}`,
    nextStep: 'Correct the permission or name another key (stake:care), then check the wallet with doctor.',
  },
  signer_unavailable: {
    reason: ({ fault }) => `the signer signs nothing for it: ${fault}`,
    nextStep:
      'Check that the signer runs, and read its log. Then run doctor, which asks the signer again. Until the signer answers, the wallet takes no orders and gets no energy back.',
  },
  witness_pays_nothing: {
    reason: ({ witnesses }) =>
      `it votes for ${witnesses}, which pays voters nothing: it is not among the first 127 witnesses, or keeps all of its pay`,
    nextStep: 'Vote for another witness (stake:care --vote, or by hand).',
  },
  database_restored: {
    reason: ({ differs }) =>
      `this database was restored or copied, because it remembers another ${PLACES[differs] ?? differs}: the service signs nothing`,
    nextStep:
      'If the service still runs on the original, stop this instance: both would take back the same stake. If you want to go on with this database, run restore:confirm (docs/operations.md).',
  },
  terms_differ: {
    reason: ({ differing }) => `instances sell on different terms: ${differing}`,
    nextStep:
      'Give all instances the same settings, and restart those that differ. Existing orders keep the terms that they were sold on.',
  },
  wallet_used: {
    reason: whatWasDone,
    nextStep:
      'If it was not you, the key is stolen: move the permission to a new key now, then run pool:update. If it was you, acknowledge the finding (finding:acknowledge): a wallet that was paused for it takes orders again.',
  },
  wallet_act: {
    reason: whatWasDone,
    nextStep:
      'If it was you, do nothing. If not, the key is stolen: move the permission to a new key now, then run pool:update.',
  },
  wallet_changed: {
    reason: ({ changed, from_block: from, to_block: to, unread }) =>
      `no transaction in blocks ${from} to ${to} explains what changed: ${changesIn(changed)
        .map(({ name, before, after }) => `${CHANGES[name] ?? name} from ${before} to ${after}`)
        .join('; ')}${unread === '0' ? '' : `; no node shows ${plural(unread, 'block', 'blocks')} of them`}`,
    nextStep:
      'Compare the account with a block explorer. If the nodes are wrong, replace them. If they are right, treat the key as stolen: the blocks that show who did it are missing. Then acknowledge the finding (finding:acknowledge).',
  },
};
