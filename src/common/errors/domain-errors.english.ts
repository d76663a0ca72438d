import { formatTrx } from '../money/sun';
import { plural } from '../plural';

type Texts<Name extends string> = Readonly<Record<Name, string>>;
type Numbers<Name extends string> = Readonly<Record<Name, number>>;

const changed = (setting: string, now: string) => `the ${setting} was changed meanwhile, to ${now}: nothing was saved`;

/** What was named is not there, or is not the caller's to see. */
export const MISSING = {
  'user.not-found': ({ email }: Texts<'email'>) => `unknown user ${email}`,
  'sign-up.too-many-wait': () =>
    'so many sign-ups wait for an operator that no further one can: open this link again in some hours',
  'sign-up.not-found': ({ email }: Texts<'email'>) => `no sign-up of ${email} waits`,
  'token.not-found': ({ id }: Texts<'id'>) => `unknown token ${id}`,
  'subscription.not-found': ({ id }: Texts<'id'>) => `no subscription ${id}`,
  'order.not-found': ({ id }: Texts<'id'>) => `unknown delegation ${id}`,
  'wallet.not-found': ({ name }: Texts<'name'>) => `unknown pool wallet ${name}`,
  'finding.not-found': ({ id }: { id: bigint }) => `unknown finding ${id}`,
  'webhook.not-found': ({ id }: Texts<'id'>) => `unknown webhook ${id}`,
  'delivery.not-found': ({ id }: Texts<'id'>) => `unknown delivery ${id}`,
  'deposit.not-found': ({ id }: Texts<'id'>) => `unknown deposit ${id}`,
  'deposit.address-unknown': ({ address }: Texts<'address'>) => `no customer has the deposit address ${address}`,
};

/** Values that can be right in no state of the service. */
export const INVALID_VALUES = {
  'user.email-invalid': ({ email }: Texts<'email'>) => `${JSON.stringify(email)} is not an e-mail address`,
  'user.name-length': ({ longest }: Numbers<'longest'>) => `a user needs a name of 1 to ${longest} characters`,
  'user.rate-limit-invalid': ({ most }: Numbers<'most'>) =>
    `a rate limit is a whole number of calls a minute from 1 to ${most}`,
  'user.name-unseen': () => "a user's name has no control or format characters",
  'token.name-unseen': () => "a token's name has no control or format characters",
  'token.name-length': ({ longest }: Numbers<'longest'>) => `a token needs a name of 1 to ${longest} characters`,
  'token.receiver-invalid': ({ receiver }: Texts<'receiver'>) => `${JSON.stringify(receiver)} is not a TRON address`,
  'token.receivers-too-many': ({ most }: Numbers<'most'>) => `a token has a list of at most ${most} receivers`,
  'token.ip-invalid': ({ ip }: Texts<'ip'>) =>
    `${JSON.stringify(ip)} is neither a network like 203.0.113.0/24 or 2001:db8::/32 nor an address`,
  'token.ips-too-many': ({ most }: Numbers<'most'>) => `a token has a list of at most ${most} networks`,
  'sign-up.note-length': ({ longest }: Numbers<'longest'>) => `a refusal has a note of 1 to ${longest} characters`,
  'movement.note-length': ({ longest }: Numbers<'longest'>) => `a note has at most ${longest} characters`,
  'movement.reference-empty': () =>
    'a reference has at least one character besides blanks: leave the option out to have none',
  'movement.reference-length': ({ longest }: Numbers<'longest'>) => `a reference has at most ${longest} characters`,
  'subscription.payment-missing': () => 'a price that the balance does not pay needs the reference of its payment',
  'finding.note-missing': () => 'a note says what it was',
  'wallet.name-unseen': () => "a wallet's name has no control or format characters",
  'wallet.key-variable-invalid': () =>
    'that cannot be the name of an environment variable (letters, digits and _): give the name, and never the key itself',
  'wallet.key-file-invalid': () =>
    'the name of a key file has no 64 hex digits, as a key has: give the path, and never the key itself',
  'wallet.key-file-not-absolute': () => 'the path of a key file begins with /',
  'wallet.signer-key-invalid': () =>
    'the id of a key of the signer has 1 to 64 letters, digits, dots, hyphens and underscores, and is never the key itself',
  'stake.votes-invalid': () =>
    'votes go to 1 to 30 different witnesses, each with a whole weight from 1 to 1,000,000: T…=60,T…=40',
  'webhook.url-invalid': () => 'a webhook needs a URL such as https://shop.example/energy',
  'webhook.url-credentials': () => 'the URL of a webhook holds no user name and no password',
  'webhook.url-address': () => 'the URL of a webhook leads to no private, loopback, link-local or metadata address',
  'webhook.url-length': ({ longest }: Numbers<'longest'>) => `the URL of a webhook has at most ${longest} characters`,
  'webhook.events-invalid': ({ events }: { events: readonly string[] }) =>
    `events are one or more of ${events.join(', ')}`,
};

/** What cannot be done as things stand. */
export const REFUSED = {
  'user.email-taken': () => 'there is already a user with this e-mail address',
  'user.mailbox-taken': ({ email }: Texts<'email'>) =>
    `the user ${email} has this mailbox: addresses that differ by a tag (+…) alone are one`,
  'user.unit-price-out-of-bounds': () => 'a unit price is 2 to 2.5 native units',
  'user.rate-limit-not-positive': () => 'a rate limit is at least 1 call a minute',
  'user.last-operator': () => 'this is the last operator: make another one first, or use --force on the command line',
  'user.is-oneself': () => 'you cannot disable yourself or take your own operator role away',
  'user.disabled': ({ email }: Texts<'email'>) => `${email} is disabled: enable the user first`,
  'user.name-changed': ({ name }: Texts<'name'>) => changed('name', name),
  'user.operator-changed': ({ operator }: { operator: boolean }) => changed('operator role', operator ? 'yes' : 'no'),
  /** null: the configured default. */
  'user.unit-price-changed': ({ unitPriceSun }: { unitPriceSun: bigint | null }) =>
    changed('unit price', unitPriceSun === null ? 'the default' : formatTrx(unitPriceSun)),
  /** null: none. */
  'user.low-balance-changed': ({ lowBalanceSun }: { lowBalanceSun: bigint | null }) =>
    changed('low balance', lowBalanceSun === null ? 'none' : formatTrx(lowBalanceSun)),
  /** null: the configured default. */
  'user.rate-limit-changed': ({ rateLimitPerMinute }: { rateLimitPerMinute: number | null }) =>
    changed('rate limit', rateLimitPerMinute === null ? 'the default' : String(rateLimitPerMinute)),
  'password.length': ({ shortest, longest }: Numbers<'shortest' | 'longest'>) =>
    `a password has ${shortest} to ${longest} characters`,
  'password.common': () =>
    'this password is among the first that are guessed, or made of your own name or address: a few words that have nothing to do with each other are better',
  'second-factor.code-wrong': () => 'this code is wrong, or was used before',
  'second-factor.none': ({ email }: Texts<'email'>) => `${email} has no second factor`,
  'invitation.not-valid': () => 'this link is not valid any more',
  'token.created-before': () => 'this token was made before, and is shown only once',
  'token.permissions-invalid': ({ permissions }: { permissions: readonly string[] }) =>
    `permissions are one or more of ${permissions.join(', ')}`,
  'token.days-invalid': ({ most }: Numbers<'most'>) => `a token expires in more than 0 and at most ${most} days`,
  'deposit.restored': () =>
    'this database was restored or copied: customers get deposit addresses after restore:confirm',
  'deposit.off': () => 'deposits are off: set DEPOSIT_XPUB',
  'deposit.not-creditable': ({ state }: Texts<'state'>) =>
    `a deposit is credited by hand while it is waiting or too_small, not ${state}`,
  'deposit.no-rate': () => 'no rate is in force, or one that is too old: set one with deposit:rate',
  'deposit.worth-nothing': () => 'it is worth less than a sun',
  'books.transaction-open': () =>
    'a transaction has been open in the database server for a minute, and may be booking: repeat the export once it has ended',
  'deposit.scanner-behind': () =>
    'deposits of the newest blocks are not known yet, and may explain what the address holds: repeat it in a minute',
  'deposit.not-unexplained': ({ amount, asset }: Texts<'amount' | 'asset'>) =>
    `only ${amount} ${asset} of what this address holds are unexplained`,
  'sweep.no-destination': () => 'sweeps go to DEPOSIT_SWEEP_TO and nowhere else: set it',
  'sweep.destination-unfit': ({ address, reason }: Texts<'address' | 'reason'>) =>
    `nothing is swept to ${address}: ${reason}`,
  'sweep.none-planned': () =>
    'another plan was faster, or this database was restored and not confirmed: see deposit:sweeps and doctor',
  'sweep.file-not-written': ({ file, reason }: Texts<'file' | 'reason'>) =>
    `${file} is not written: ${reason}. A file that is there is never replaced`,
  'sweep.file-unreadable': ({ file, reason }: Texts<'file' | 'reason'>) => `${file} cannot be read: ${reason}`,
  'sweep.file-invalid': ({ reason }: Texts<'reason'>) => `this file holds no such sweeps: ${reason}`,
  'sweep.key-file-unfit': ({ reason }: Texts<'reason'>) => `the key file is not used: ${reason}`,
  'sweep.not-signed': ({ address, reason }: Texts<'address' | 'reason'>) =>
    `nothing is signed, because of the transaction of ${address}: ${reason}`,
  'sweep.not-taken': ({ id, reason }: Texts<'id' | 'reason'>) => `nothing is sent, because of sweep ${id}: ${reason}`,
  'movement.amount-not-positive': () => 'the amount must be more than 0',
  'movement.balance-insufficient': ({ amountSun }: { amountSun: bigint }) =>
    `debit of ${formatTrx(amountSun)} refused: insufficient balance`,
  'movement.balance-too-large': ({ amountSun }: { amountSun: bigint }) =>
    `credit of ${formatTrx(amountSun)} refused: the balance would be too large`,
  /** `kind` and `amountSun`: of the earlier movement. */
  'movement.reference-used': ({ reference, kind, amountSun }: { reference: string; kind: string; amountSun: bigint }) =>
    `reference ${JSON.stringify(reference)} was used for a ${kind} of ${formatTrx(amountSun)}`,
  'subscription.balance-insufficient': ({ priceSun }: { priceSun: bigint }) =>
    `the price of ${formatTrx(priceSun)} was not taken: insufficient balance`,
  'refund.unknown': ({ txid }: Texts<'txid'>) => `no node shows transaction ${txid} in a block`,
  'refund.not-final': ({ txid, number }: { txid: string; number: number }) =>
    `transaction ${txid} is in block ${number}, which is not final yet: repeat this in a minute`,
  'refund.unproved': ({ txid, number }: { txid: string; number: number }) =>
    `nodes show transaction ${txid} in block ${number}, and signatures of active witnesses do not prove that`,
  'refund.no-transfer': ({ txid }: Texts<'txid'>) => `transaction ${txid} is not a transfer of TRX`,
  'refund.failed': ({ txid }: Texts<'txid'>) => `transaction ${txid} did not succeed`,
  'refund.other-address': ({ txid, shown, to }: Texts<'txid' | 'shown' | 'to'>) =>
    `transaction ${txid} went to ${shown}, and not to ${to}`,
  'refund.other-amount': ({ txid, shownSun, amountSun }: { txid: string; shownSun: bigint; amountSun: bigint }) =>
    `transaction ${txid} sent ${formatTrx(shownSun)}, and not ${formatTrx(amountSun)}`,
  'refund.own-transaction': ({ txid }: Texts<'txid'>) =>
    `transaction ${txid} is one that this service has sent for an order or a stake, and refunds nothing`,
  'refund.own-address': ({ to }: Texts<'to'>) =>
    `${to} is a deposit address or a wallet of the pool: what goes there is not sent back to a customer`,
  'refund.txid-used': ({ txid }: Texts<'txid'>) => `transaction ${txid} has refunded another customer`,
  'refund.balance-insufficient': ({ amountSun }: { amountSun: bigint }) =>
    `refund of ${formatTrx(amountSun)} refused: insufficient balance`,
  'subscription.created-before': () => 'this subscription was added before',
  'subscription.reference-used': ({ reference }: Texts<'reference'>) =>
    `reference ${JSON.stringify(reference)} was used for another subscription`,
  'commit.not-done': ({ reference }: Texts<'reference'>) =>
    `the connection to the database broke; looked up: nothing was done, and reference ${JSON.stringify(reference)} is free`,
  'commit.unknown': ({ reference }: Texts<'reference'>) =>
    `the connection to the database broke, and it is not known whether it was done: with reference ${JSON.stringify(reference)} it is done once, however often it is tried`,
  'subscription.quota-invalid': () => 'a quota is a whole number of energy units (65,000 per transaction) below 2^63',
  'subscription.time-unknown': () =>
    'no node shows the time of the chain, by which subscriptions begin and end: try again in a minute',
  'wallet.address-invalid': ({ address }: Texts<'address'>) => `${address} is not a TRON address`,
  'wallet.address-taken': ({ address, role }: Texts<'address' | 'role'>) =>
    `${address} is in the pool already, in the role ${role}`,
  'wallet.name-taken': ({ name }: Texts<'name'>) => `a pool wallet is called ${name} already`,
  /** Open findings that the operator has not read. */
  'wallet.reason-needed': ({ name }: Texts<'name'>) =>
    `${name} is not resumed: say why it may lend although something is not explained`,
  'wallet.finding-unread': ({ name, kinds }: { name: string; kinds: readonly string[] }) =>
    `${name} was not resumed: meanwhile something more was found of it (${kinds.join(', ')})`,
  'wallet.none-lends': () => 'the pool has no wallet that lends and exists on the chain: pool:add adds one',
  'wallet.in-use': ({ name, orders, transactions }: { name: string; orders: bigint; transactions: bigint }) =>
    `${name} still has ${orders} open or lent orders and ${transactions} transactions under way: ` +
    'drain it (pool:drain) and wait until everything is back',
  'wallet.has-findings': ({ name, findings }: { name: string; findings: number }) =>
    `${plural(findings, 'finding', 'findings')} about ${name} ${findings === 1 ? 'is' : 'are'} open: put right or acknowledge what finding:list shows first`,
  'wallet.lent-on-chain': ({ name, lentSun }: { name: string; lentSun: bigint }) =>
    `the chain still shows ${formatTrx(lentSun)} TRX of ${name} lent: take them back first; right after a reclaim, try again in a minute`,
  'wallet.loans-unknown': ({ name }: Texts<'name'>) =>
    `no node says what ${name} has lent: bring a node within reach (doctor), then try again`,
  'webhook.url-not-https': () => 'the URL of a webhook begins with https://',
  'webhook.url-private': () =>
    'the URL of a webhook leads to no private or loopback address, nor to a name that only the own network knows',
  'webhook.created-before': () => 'this webhook was made before, and its secret is shown only once',
  'webhook.newcomer': ({ most, together }: Numbers<'most' | 'together'>) =>
    `before it has topped up an account has at most ${most} webhooks, and the new accounts of one network ${together} together`,
  'webhook.too-many': ({ most }: Numbers<'most'>) => `an account has at most ${most} webhooks`,
  'webhook.test-too-often': ({ most }: Numbers<'most'>) => `a webhook is tested at most ${most} times a minute`,
  'webhook.attempts-used-up': ({ most }: Numbers<'most'>) =>
    `an account has ${most} attempts a minute for tests, deliveries that are sent again and balance.low; try again in a minute`,
  'webhook.rotated-too-often': ({ most }: Numbers<'most'>) =>
    `a webhook's secret is changed at most ${most} times a day`,
  'webhook.disabled': () => 'the webhook is disabled: enable it first',
  'notice.channel-closed': () => 'this way is not set up',
  'finding.no-shortage': ({ kind }: Texts<'kind'>) =>
    `only a shortage, the use of a wallet and what is left of a removed one can be acknowledged: ${kind} is gone when what it says is put right`,
  'finding.acknowledged-before': ({ id }: { id: bigint }) => `finding ${id} was acknowledged before`,
  'finding.resolved': ({ id }: { id: bigint }) => `finding ${id} is gone`,
  'finding.amount-unknown': ({ id }: { id: bigint }) => `the amount of finding ${id} is not known: reconcile first`,
  'witnesses.none-offered': () => 'no other set of witnesses is offered',
  'witnesses.other-offered': ({ digest }: Texts<'digest'>) =>
    `the set that is offered now has the digest ${digest}: compare it (witnesses:list) before you accept it`,
  'witnesses.unknown': () => 'the witnesses have not been read yet: the service reads them when it starts',
  'restore.nothing-to-confirm': () => 'this is the database that the service has gone by so far: nothing to confirm',
  'chain.no-branch-refused': () => 'the longest branch that the nodes offer undoes no final block',
  'chain.other-branch': ({ id }: Texts<'id'>) =>
    `the branch that the nodes offer now does not have that block, or another one was final meanwhile: its newest final block is ${id}`,
  'chain.block-provable': ({ number }: Numbers<'number'>) =>
    `the transactions of block ${number} can be proved: there is nothing to accept`,
  'chain.block-not-final': ({ number }: Numbers<'number'>) =>
    `block ${number}, as the nodes show it, is not signed by an active witness, or too few witnesses have built on it`,
  'chain.block-differing': ({ number }: Numbers<'number'>) =>
    `the nodes list different transactions for block ${number}: find out which of them is wrong`,
  'stake.no-care': ({ name }: Texts<'name'>) =>
    `${name} has no care: give it a key with a permission of its own first (stake:care)`,
  'stake.key-missing': ({ name }: Texts<'name'>) =>
    `${name} has no care yet: give its key (--key-env, --key-file or --signer) and --permission-id`,
  'stake.not-lending': ({ name }: Texts<'name'>) =>
    `${name} lends no stake: only wallets with the role delegate have care`,
  'stake.votes-missing': ({ name }: Texts<'name'>) =>
    `${name} votes for no witness yet: name witnesses with their weights (stake:care --vote)`,
  'stake.no-power': ({ name }: Texts<'name'>) =>
    `${name} has no power to vote with: its node shows no stake that gives any. Where chain parameter 51 is on, its first unfreezing has ended it`,
  'stake.unread': ({ name }: Texts<'name'>) => `no node shows an account of ${name}`,
  'stake.under-way': ({ name, kind }: Texts<'name' | 'kind'>) =>
    `a ${kind} of ${name} is under way: wait until it is final, or has expired after two minutes (stake:list)`,
  'stake.too-little': () => 'the network freezes no less than 1 TRX',
  'stake.not-free': ({ name, freeSun }: { name: string; freeSun: bigint }) =>
    `${formatTrx(freeSun)} TRX of the energy stake of ${name} are neither lent nor promised to orders: unfreeze no more than that`,
  'stake.reclaims-unpaid': ({ name, due }: { name: string; due: bigint }) =>
    `what ${name} keeps must pay for the ${due} transactions that its orders and acts on its stake still take: take less, or send it TRX`,
  'stake.no-slots': ({ name }: Texts<'name'>) =>
    `32 unfreezings of ${name} wait already: the next one can begin when one of them is over (stake:show)`,
  'finding.shortage-changed': ({ amountSun }: { amountSun: bigint }) =>
    `the shortage has changed meanwhile, to ${formatTrx(amountSun)} TRX: nothing was acknowledged`,
};

/** Why a receipt proves nothing. */
export const RECEIPTS = {
  'receipt.file-unreadable': ({ file }: Texts<'file'>) => `${file} cannot be read`,
  'receipt.malformed': ({ field }: Texts<'field'>) => `${field} is missing, or is not what stands there in such a file`,
  'receipt.field-unknown': ({ field }: Texts<'field'>) => `the receipt has a field that nothing proves: ${field}`,
  'receipt.no-delegation': () => 'the transaction is not a delegation of energy that succeeded',
  'receipt.otherwise-proved': ({ field, stated, proved }: Texts<'field' | 'stated' | 'proved'>) =>
    `the receipt states ${stated} as its ${field}, and proves ${proved}`,
  'receipt.not-in-block': () => "the transaction and its branch do not lead to the root in the block's header",
  'receipt.no-header': () => 'the bytes of a header are none',
  'receipt.not-signed': ({ block }: Numbers<'block'>) =>
    `block ${block} is not signed by an active witness of the given file. When witnesses have changed meanwhile, it takes the file of that time`,
  'receipt.not-linked': ({ block }: Numbers<'block'>) =>
    `the header that stands for block ${block} does not follow the one before it`,
  'receipt.too-few-witnesses': ({ signed, needed }: Numbers<'signed' | 'needed'>) =>
    `${signed} of the given witnesses have built on the block: it takes ${needed}`,
  'receipt.other-witnesses': ({ address }: Texts<'address'>) =>
    `the receipt counts ${address} among the active witnesses with a key that the given file does not have for it: it takes the file of that time`,
};

/** For the command line, the audit log and the logs; the panel begins them with a capital. */
export const ENGLISH = { ...MISSING, ...INVALID_VALUES, ...REFUSED, ...RECEIPTS };

/** The command line and the logs add these: customers, who see the text in the panel, cannot change settings. */
export const FOR_OPERATORS: Readonly<Partial<Record<keyof typeof ENGLISH, string>>> = {
  'webhook.url-not-https': '; the setting WEBHOOK_ALLOW_PRIVATE=on allows http too',
  'webhook.url-private': '; the setting WEBHOOK_ALLOW_PRIVATE=on allows both',
};
