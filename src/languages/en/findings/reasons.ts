import { plural } from '../../../common/plural';
import { changesIn, type FindingMessages, trx } from '../../finding-messages';
import { whatWasDone } from './acts';
import { MONEY_REASONS } from './money-reasons';

const COMPARE = 'Compare the order (delegation:show) with the transaction in a block explorer; the chain is right.';

const shows = (lentSun: string) => `the chain shows ${trx(lentSun)} TRX lent`;
const atLeast = ({ lent_sun: lent, least_sun: least }: { lent_sun: string; least_sun: string }) =>
  `${shows(lent)}, the orders say at least ${trx(least)}`;
const atMost = ({ lent_sun: lent, most_sun: most }: { lent_sun: string; most_sun: string }) =>
  `${shows(lent)}, the orders explain at most ${trx(most)}`;

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
  lent_energy: 'stake for energy lent in TRX',
  lent_bandwidth: 'stake for bandwidth lent in TRX',
  permissions: 'permissions',
  last_operation: 'last operation',
  used_block: 'block of the last transaction that is not of this service',
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
    reason: ({ since }) => `is activating since ${since}`,
    nextStep: 'Start the service: it closes orders whose instance died before their delegation was signed.',
  },
  unsigned_order: {
    reason: ({ state }) => `is ${state} without a delegation transaction`,
    nextStep: 'Look at the history (delegation:show): an order past its activation always has a signed delegation.',
  },
  overdue_reclaim: {
    reason: ({ state, since, error }) => `${state} since ${since}${error === null ? '' : `: ${error}`}`,
    nextStep:
      'Read last_error in delegation:show; remove its cause (key, permission, bandwidth, node), then reclaim:run.',
  },
  shortage: {
    reason: ({ shortage_sun: shortage, stake_sun: stake }) =>
      `${trx(shortage)} of ${trx(stake)} TRX were no longer there to take back`,
    nextStep:
      'After a restore or a fail-over that lost rows, it was taken back before. Else somebody with the wallet key took stake back from this receiver: find out who, rotate the key if need be. Then acknowledge it: reconcile gives it an id, finding:list shows that, finding:acknowledge ends it.',
  },
  orphan_transaction: {
    reason: ({ purpose, amount_sun: amount }) => `a ${purpose} of ${trx(amount)} TRX without an order`,
    nextStep: 'The order of it is gone: restore it from a backup, or take the stake back by hand once it is solid.',
  },
  wrong_amount: {
    reason: ({ stake_sun: stake, purpose, amount_sun: amount, signed_sun: signed }) =>
      `has a stake of ${trx(stake)} TRX; its ${purpose} is of ${trx(amount)}, and what was signed is of ${trx(signed)}`,
    nextStep: COMPARE,
  },
  missing_delegation: {
    reason: ({ state, transaction_state: transaction }) => `is ${state}, its delegation is only ${transaction}`,
    nextStep: COMPARE,
  },
  landed_although_failed: {
    reason: ({ tx_id: txId, block }) => `has failed, but ${txId} is in block ${block}`,
    nextStep: 'Nobody was charged, and the stake is out: take it back by hand, then correct the order.',
  },
  stake_not_released: {
    reason: ({ state }) => `is ${state} without an undelegation in a block`,
    nextStep:
      'Nothing has taken it back: set the order back to reclaiming with the service stopped; the sweeper does the rest.',
  },
  hold_stuck: {
    reason: ({ held_sun: held, since }) => `holds ${trx(held)} TRX since ${since}`,
    nextStep:
      'The order should have settled: check that the block follower keeps up (metrics) and that a node answers (doctor).',
  },
  delegation_missing: {
    reason: (pair) => `${atLeast(pair)}; not in the block that their rows name: ${pair.orders.join(', ')}`,
    nextStep: 'The rows are wrong (a restored backup, a change by hand): correct them before anything is charged.',
  },
  undelegation_foreign: {
    reason: (pair) => `${atLeast(pair)}; every delegation of them is in its block`,
    nextStep:
      'After a restore or a fail-over that lost rows, our own undelegation is among them: wait for the sweep, which ends the order short. Else stake was taken back by somebody else with the wallet key: find out who, rotate the key, then pool:resume.',
  },
  returned_stake_lent: {
    reason: (pair) => `${atMost(pair)}; the rest is the stake of ${pair.order}, which counts as ${pair.state}`,
    nextStep: 'Set the order back to reclaiming with the service stopped, or take the stake back by hand.',
  },
  delegation_double: {
    reason: (pair) => `${atMost(pair)}; the rest is exactly the stake of ${pair.order} once more`,
    nextStep:
      'It was signed with the key of this wallet, not by this service. If it was none of you, the key is stolen: give the permission to a new key now (pool:update). Then take the second stake back by hand; the order takes back only its own.',
  },
  delegation_foreign: {
    reason: atMost,
    nextStep:
      'After a restore it may be of an order that the backup lacks. Else it was lent with the key of this wallet, not by this service. If it was none of you, the key is stolen: give the permission to a new key now (pool:update), then take the stake back by hand. If it was you, take it back, or leave it: no order gets it.',
  },
  foreign_stake_locked: {
    reason: (pair) => `${atMost(pair)}; ${trx(pair.locked_sun)} TRX more are locked until ${pair.until}`,
    nextStep:
      'This service never locks: find out who has the wallet key and rotate the key now. Nobody can take the stake back before that time.',
  },
  foreign_stake_past_lock: {
    reason: (pair) =>
      `${atMost(pair)}; ${trx(pair.locked_sun)} TRX more were locked until ${pair.until} and can be taken back`,
    nextStep:
      'This service never locks: find out who has the wallet key, rotate it, take the stake back by hand, then pool:resume.',
  },
  low_stake: {
    reason: ({ transactions }) =>
      `the active wallets have energy for ${plural(transactions, 'transaction', 'transactions')}`,
    nextStep: 'Stake more, add a wallet, or see pool:forecast for when stake comes back.',
  },
  low_bandwidth: {
    reason: ({ bandwidth, balance_sun: balance, orders_paid: orders }) =>
      `${bandwidth} bytes of bandwidth and ${trx(balance)} TRX pay for ${plural(orders, 'more order', 'more orders')} beside those under way`,
    nextStep: 'Stake TRX for bandwidth, or send TRX to the wallet.',
  },
  low_trx: {
    reason: ({ balance_sun: balance, activations }) =>
      `${trx(balance)} TRX pay for ${plural(activations, 'more activation', 'more activations')}`,
    nextStep: 'Send TRX to the wallet.',
  },
  bandwidth_burned: {
    reason: ({ burned_sun: burned, brought_sun: brought, percent }) =>
      `in a week ${trx(burned)} TRX were burned for bandwidth, as nodes say: ${
        percent === '' ? 'orders brought nothing' : `${percent} % of the ${trx(brought)} TRX that orders brought`
      }`,
    nextStep: 'Stake TRX for bandwidth: stake:plan says how much.',
  },
  free_activations: {
    reason: ({ activations }) =>
      `${activations} activations in 24 hours were free, for their orders were answered with a failure`,
    nextStep:
      'See why these orders failed (delegation:list --user); until the oldest is a day old the account gets no activation.',
  },
  wallet_refused: {
    reason: ({ refusals, until, purpose, refused_for: reason }) =>
      `refusals in a row: ${refusals}; no new orders until ${until}; its ${purpose} was refused for ${reason}`,
    nextStep:
      'Check its key, permission, bandwidth and TRX (doctor); pool:resume ends the rest, else it is tried again.',
  },
  branch_refused: {
    reason: (of) =>
      `a longer branch up to block ${of.head_number} (${of.head_id}) undoes final block ${of.final_number} (${of.final_id})`,
    nextStep:
      'Nothing is begun or concluded. Find out which branch the network is on: point to nodes of that one; of a private net whose blocks you have set back yourself, chain:accept-branch with the id of its block takes it.',
  },
  witnesses_disagree: {
    reason: ({ differing }) => `the nodes disagree on ${differing} of the active witnesses or their keys`,
    nextStep:
      'The set known so far is used, and changes only as blocks prove; a first one that not every node had named is not: then nobody is believed, and no order taken. Compare with a block explorer (witnesses:list) and remove the node that is wrong; witnesses:accept with the digest shown there takes the other set.',
  },
  witnesses_changed: {
    reason: ({ changed, active }) =>
      `the nodes name other witnesses or keys than known, ${changed} of ${active}: more than blocks can prove`,
    nextStep:
      'The set known so far is used, and changes only as blocks prove. Compare with a block explorer: remove the node that is wrong, or take the set by witnesses:accept with the digest that witnesses:list shows.',
  },
  block_unreadable: {
    reason: ({ number, id }) =>
      `what every node shows of block ${number} (${id}) does not make the root that its witness has signed`,
    nextStep:
      'Orders that it could have wait. It has a field that nodes do not show, or a kind of transaction that this version cannot encode: update the service. Of two nodes or more, what all list for it counts after a quarter of an hour, where what is lent agrees; else compare the block with a block explorer, and chain:accept-block with its height takes what the nodes list.',
  },
  block_accepted: {
    reason: ({ number, id, accepted_by: by, blocks }) =>
      `block ${number} (${id}) could not be proved and was settled by what ${by === 'operator' ? 'nodes list, as an operator has accepted it' : 'all nodes list'} (in a week ${blocks} such blocks)`,
    nextStep:
      'Compare it with a block explorer that is none of your nodes: its orders have no receipt. Update the service if the network has a new kind of transaction. The finding goes a week after the last such block.',
  },
  wallet_unread: {
    reason: ({ unread_for: reason }) =>
      `not everything of it could be read (${reason}): all others were compared, of it what was found before still stands`,
    nextStep: 'Ask a node for the account (doctor does); if only one node fails at it, put another one first.',
  },
  votes_idle: {
    reason: ({ idle_votes: idle, power, since }) =>
      `${idle} of its ${power} votes are given to no witness, since ${since}: they earn nothing`,
    nextStep:
      'With care: look why its votes are refused (stake:list), and whether its care names witnesses (stake:show); stake:vote votes now. Without: give it care (stake:care), or vote by hand.',
  },
  reward_unclaimed: {
    reason: ({ reward_sun: reward, since }) => `${trx(reward)} TRX of rewards have not been claimed since ${since}`,
    nextStep:
      'Claim them (stake:claim, for a wallet with care); have them claimed every day with stake:care --claim on.',
  },
  unfrozen_ready: {
    reason: ({ ripe_sun: ripe, since }) => `${trx(ripe)} TRX are unfrozen and could be withdrawn since ${since}`,
    nextStep:
      'Withdraw them: stake:withdraw where the wallet has care, and stake:list says why the care has not; without care with the key of the account itself, or give it care (stake:care), which withdraws them.',
  },
  deposit_unexplained: {
    reason: ({ address, unexplained_sun: sun, unexplained_usdt: usdt, since }) =>
      `the deposit address ${address} holds ${trx(sun)} TRX and ${usdt} USDT that no deposit explains, since ${since}: a contract has paid them, or they came in a block without proof`,
    nextStep:
      'Look in a block explorer who has paid. If it is the customer, credit it: deposit:credit-unexplained --address T --asset A --amount N --note T.',
  },
  care_key: {
    reason: ({ fault }) => `the key of its stake care cannot do what the care needs: ${fault}`,
    nextStep: 'Correct the permission or name another key (stake:care); doctor says what it finds then.',
  },
  signer_unavailable: {
    reason: ({ fault }) => `the signer signs nothing for it: ${fault}`,
    nextStep:
      'Look whether the signer runs and what its log says; doctor asks it again. Orders of the wallet are refused meanwhile, and what it has lent waits.',
  },
  witness_pays_nothing: {
    reason: ({ witnesses }) =>
      `it votes for ${witnesses}, whose voters get nothing: not among the first 127, or keeps all`,
    nextStep: 'Vote for another witness (stake:care --vote, or by hand).',
  },
  database_restored: {
    reason: ({ differs }) =>
      `this database was restored or copied: it remembers another ${PLACES[differs] ?? differs}; nothing is signed`,
    nextStep:
      'If the service still runs on the original, stop this instance: both would take back the same stake. If this is the one to go on with: restore:confirm (docs/operations.md).',
  },
  terms_differ: {
    reason: ({ differing }) => `instances sell by different settings: ${differing}`,
    nextStep:
      'Give all instances the same settings, and restart those that differ. An order keeps what it was sold for.',
  },
  wallet_used: {
    reason: whatWasDone,
    nextStep:
      'If it was not you, the key is stolen: move the permission to a new key now, then pool:update. If it was you, acknowledge it (finding:acknowledge): a wallet that was paused for it takes orders again.',
  },
  wallet_act: {
    reason: whatWasDone,
    nextStep:
      'Nothing, if it was you. If not, the key is stolen: move the permission to a new key now, then pool:update.',
  },
  wallet_changed: {
    reason: ({ changed, from_block: from, to_block: to, unread }) =>
      `no transaction in blocks ${from} to ${to} explains what changed: ${changesIn(changed)
        .map(({ name, before, after }) => `${CHANGES[name] ?? name} from ${before} to ${after}`)
        .join('; ')}${unread === '0' ? '' : `; ${plural(unread, 'block was', 'blocks were')} shown by no node`}`,
    nextStep:
      'Compare the account with a block explorer. Where the nodes are wrong, replace them; where they are right, a node without the old blocks hides who did it: treat the key as stolen. Then acknowledge it (finding:acknowledge).',
  },
};
