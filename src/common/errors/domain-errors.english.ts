import { formatTrx } from '../money/sun';
import { plural } from '../plural';

type Texts<Name extends string> = Readonly<Record<Name, string>>;
type Numbers<Name extends string> = Readonly<Record<Name, number>>;

const changed = (setting: string, now?: string) =>
  `the ${setting} has meanwhile been changed${now === undefined ? '' : ` to ${now}`}, so nothing was saved: check it and try again`;

/** What was named is not there, or is not the caller's to see. */
export const MISSING = {
  'user.not-found': ({ email }: Texts<'email'>) => `unknown user ${email}`,
  'sign-up.too-many-wait': () => 'too many sign-ups are waiting for an operator: open this link again in a few hours',
  'sign-up.not-found': ({ email }: Texts<'email'>) => `no sign-up of ${email} is waiting`,
  'token.not-found': ({ id }: Texts<'id'>) => `unknown token ${id}`,
  'subscription.not-found': ({ id }: Texts<'id'>) => `unknown subscription ${id}`,
  'order.not-found': ({ id }: Texts<'id'>) => `unknown order ${id}`,
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
    `a rate limit must be a whole number from 1 to ${most} calls a minute`,
  'user.name-unseen': () => "a user's name must not contain control or format characters",
  'token.name-unseen': () => "a token's name must not contain control or format characters",
  'token.name-length': ({ longest }: Numbers<'longest'>) => `a token needs a name of 1 to ${longest} characters`,
  'token.receiver-invalid': ({ receiver }: Texts<'receiver'>) => `${JSON.stringify(receiver)} is not a TRON address`,
  'token.receivers-too-many': ({ most }: Numbers<'most'>) => `a token can list at most ${most} receivers`,
  'token.ip-invalid': ({ ip }: Texts<'ip'>) =>
    `${JSON.stringify(ip)} is neither an IP address nor a network such as 203.0.113.0/24 or 2001:db8::/32`,
  'token.ips-too-many': ({ most }: Numbers<'most'>) => `a token can list at most ${most} networks`,
  'sign-up.note-length': ({ longest }: Numbers<'longest'>) => `a refusal needs a note of 1 to ${longest} characters`,
  'movement.note-length': ({ longest }: Numbers<'longest'>) => `a note can have at most ${longest} characters`,
  'movement.reference-empty': () => 'a reference must not be blank: leave it out if there is none',
  'movement.reference-length': ({ longest }: Numbers<'longest'>) =>
    `a reference can have at most ${longest} characters`,
  'subscription.payment-missing': () => 'a price that is not paid from the balance needs the reference of its payment',
  'finding.note-missing': () => 'the note is empty: say what happened',
  'wallet.name-unseen': () => "a wallet's name must not contain control or format characters",
  'wallet.key-variable-invalid': () =>
    'this is not the name of an environment variable (letters, digits and _): give the name, never the key itself',
  'wallet.key-file-invalid': () =>
    'this contains 64 hex digits, like a key: give the path of the key file, never the key itself',
  'wallet.key-file-not-absolute': () => 'the path of a key file must begin with /',
  'wallet.signer-key-invalid': () =>
    'the id of a key in the signer has 1 to 64 letters, digits, dots, hyphens and underscores: give the id, never the key itself',
  'stake.votes-invalid': () =>
    'name 1 to 30 different witnesses, each with a whole number from 1 to 1,000,000 as its weight, such as T…=60,T…=40',
  'webhook.url-invalid': () => 'a webhook needs a URL such as https://shop.example/energy',
  'webhook.url-credentials': () => 'the URL of a webhook must not contain a user name or a password',
  'webhook.url-address': () =>
    'the URL of a webhook must not point to a private, loopback, link-local or metadata address',
  'webhook.url-length': ({ longest }: Numbers<'longest'>) =>
    `the URL of a webhook can have at most ${longest} characters`,
  'webhook.events-invalid': ({ events }: { events: readonly string[] }) =>
    `events must be one or more of ${events.join(', ')}`,
};

/** What cannot be done as things stand. */
export const REFUSED = {
  'user.email-taken': () => 'there is already a user with this e-mail address',
  'user.mailbox-taken': ({ email }: Texts<'email'>) =>
    `this mailbox belongs to the user ${email}: addresses that differ only by a tag (+…) are the same mailbox`,
  'user.unit-price-out-of-bounds': () => 'a unit price must be from 2 to 2.5 native units',
  'user.rate-limit-not-positive': () => 'a rate limit must be at least 1 call a minute',
  'user.last-operator': () =>
    'this is the last operator: make another user an operator first, or use --force on the command line',
  'user.is-oneself': () => 'you cannot disable your own account or remove your own operator role',
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
  'token.daily-limit-changed': () => changed('daily limit'),
  'token.max-cost-changed': () => changed('maximum per order'),
  'token.receivers-changed': () => changed('list of receivers'),
  'token.ips-changed': () => changed('list of networks'),
  /** Without the address, which may hold a secret: refusals stand in the audit log. */
  'webhook.url-changed': () => changed('URL'),
  'webhook.events-changed': () => changed('choice of events'),
  'password.length': ({ shortest, longest }: Numbers<'shortest' | 'longest'>) =>
    `a password must have ${shortest} to ${longest} characters`,
  'password.common': () =>
    'this password is easy to guess, because it is common or made from your name or e-mail address: choose a few unrelated words',
  'second-factor.code-wrong': () => 'this code is wrong or was already used',
  'second-factor.none': ({ email }: Texts<'email'>) => `${email} has no second factor`,
  'invitation.not-valid': () => 'this link has expired, or was used or replaced',
  'token.created-before': () => 'this token was already created, and its value is shown only once',
  'token.permissions-invalid': ({ permissions }: { permissions: readonly string[] }) =>
    `permissions must be one or more of ${permissions.join(', ')}`,
  'token.days-invalid': ({ most }: Numbers<'most'>) => `a token must expire in more than 0 and at most ${most} days`,
  'deposit.restored': () =>
    'this database was restored or copied: customers get no new deposit addresses until an operator runs restore:confirm',
  'deposit.rates-doubted': () =>
    'rows of this database may be missing after a restore or a promotion: set the rate once an instance runs and has begun to compare them with the chain, after a restore once you have run restore:confirm',
  'deposit.off': () => 'deposits are off: set DEPOSIT_XPUB',
  'deposit.not-creditable': ({ state }: Texts<'state'>) =>
    `only a deposit that waits or is below the minimum can be credited by hand, and this one is ${state}`,
  'deposit.no-rate': () => 'no rate is in force, or it is too old: set one with deposit:rate',
  'deposit.worth-nothing': () => 'this amount is worth less than 0.000001 TRX: there is nothing to credit',
  'deposit.worth-changed': ({ amountSun }: { amountSun: bigint }) =>
    `the deposit is meanwhile worth ${formatTrx(amountSun)} TRX, so nothing was credited: check it and try again`,
  'deposit.rate-changed': () => 'the rate has meanwhile been changed, so it was not set again: check it and try again',
  'books.transaction-open': () =>
    'a transaction has been open on the database server for a minute and may still book money: repeat the export once it has ended',
  'deposit.scanner-behind': () =>
    'the newest blocks were not searched for deposits yet, and they may explain what this address holds: try again in a minute',
  'deposit.needs-user': ({ address }: Texts<'address'>) =>
    `the database does not know whose address ${address} is: name the user with --user`,
  'deposit.has-customer': ({ address, user }: Texts<'address' | 'user'>) =>
    `${address} is the deposit address of ${user}: leave --user out`,
  'deposit.not-unexplained': ({ amount, asset }: Texts<'amount' | 'asset'>) =>
    `only ${amount} ${asset} at this address are unexplained: credit no more than that`,
  'sweep.no-destination': () => 'DEPOSIT_SWEEP_TO is not set: set it to the address that receives all sweeps',
  'sweep.destination-unfit': ({ address, reason }: Texts<'address' | 'reason'>) =>
    `${address} cannot receive sweeps: ${reason}`,
  'sweep.none-planned': () =>
    'nothing was planned, because another plan was faster or this restored database is not confirmed: see deposit:sweeps and doctor',
  'sweep.file-not-written': ({ file, reason }: Texts<'file' | 'reason'>) =>
    `${file} was not written: ${reason}. An existing file is never replaced`,
  'sweep.file-unreadable': ({ file, reason }: Texts<'file' | 'reason'>) => `${file} cannot be read: ${reason}`,
  'sweep.file-invalid': ({ reason }: Texts<'reason'>) =>
    `this is not the file of sweeps that this command needs: ${reason}`,
  'sweep.key-file-unfit': ({ reason }: Texts<'reason'>) => `the key file was not used: ${reason}`,
  'sweep.not-signed': ({ address, reason }: Texts<'address' | 'reason'>) =>
    `nothing was signed, because of the transaction of ${address}: ${reason}`,
  'sweep.not-taken': ({ id, reason }: Texts<'id' | 'reason'>) => `nothing was sent, because of sweep ${id}: ${reason}`,
  'movement.amount-not-positive': () => 'the amount must be more than 0',
  'movement.balance-insufficient': ({ amountSun }: { amountSun: bigint }) =>
    `debit of ${formatTrx(amountSun)} refused: insufficient balance`,
  'movement.balance-too-large': ({ amountSun }: { amountSun: bigint }) =>
    `credit of ${formatTrx(amountSun)} refused: the balance would be too large`,
  /** `kind` and `amountSun`: of the earlier movement. */
  'movement.reference-used': ({ reference, kind, amountSun }: { reference: string; kind: string; amountSun: bigint }) =>
    `reference ${JSON.stringify(reference)} was already used for a ${kind} of ${formatTrx(amountSun)}`,
  'movement.quota-given': ({ reference }: Texts<'reference'>) =>
    `a subscription was already given for the payment ${JSON.stringify(reference)}`,
  'movement.reference-of-deposit': ({ reference }: Texts<'reference'>) =>
    `${JSON.stringify(reference)} names a payment that was credited with deposit:credit-unexplained: if a restore has lost that, credit it so again once the finding shows what its address holds`,
  'subscription.balance-insufficient': ({ priceSun }: { priceSun: bigint }) =>
    `insufficient balance for the price of ${formatTrx(priceSun)}: nothing was added`,
  'refund.unknown': ({ txid }: Texts<'txid'>) =>
    `no node shows transaction ${txid} in a block: check the txid, or try again in a minute`,
  'refund.not-final': ({ txid, number }: { txid: string; number: number }) =>
    `transaction ${txid} is in block ${number}, which is not final yet: try again in a minute`,
  'refund.unproved': ({ txid, number }: { txid: string; number: number }) =>
    `nodes show transaction ${txid} in block ${number}, but no signatures of active witnesses prove it`,
  'refund.no-transfer': ({ txid }: Texts<'txid'>) => `transaction ${txid} is not a transfer of TRX`,
  'refund.failed': ({ txid }: Texts<'txid'>) => `transaction ${txid} did not succeed`,
  'refund.other-address': ({ txid, shown, to }: Texts<'txid' | 'shown' | 'to'>) =>
    `transaction ${txid} went to ${shown}, not to ${to}`,
  'refund.other-amount': ({ txid, shownSun, amountSun }: { txid: string; shownSun: bigint; amountSun: bigint }) =>
    `transaction ${txid} sent ${formatTrx(shownSun)}, not ${formatTrx(amountSun)}`,
  'refund.own-transaction': ({ txid }: Texts<'txid'>) =>
    `transaction ${txid} refunds no customer: this service sent it for an order or a stake`,
  'refund.own-address': ({ to }: Texts<'to'>) =>
    `${to} is a deposit address or a pool wallet: TRX sent there do not go back to a customer`,
  'refund.txid-used': ({ txid }: Texts<'txid'>) => `transaction ${txid} has already refunded another customer`,
  'refund.balance-insufficient': ({ amountSun }: { amountSun: bigint }) =>
    `refund of ${formatTrx(amountSun)} refused: insufficient balance`,
  'subscription.created-before': () => 'this subscription was already added',
  'subscription.reference-used': ({ reference }: Texts<'reference'>) =>
    `reference ${JSON.stringify(reference)} was already used for another subscription`,
  'commit.not-done': ({ reference }: Texts<'reference'>) =>
    `the connection to the database broke and nothing was done: try again, reference ${JSON.stringify(reference)} is still free`,
  'commit.unknown': ({ reference }: Texts<'reference'>) =>
    `the connection to the database broke, and the service could not learn whether the change was made: try again with reference ${JSON.stringify(reference)}, which makes it only once`,
  'subscription.quota-invalid': () => 'a quota is a whole number of energy units (65,000 per transaction) below 2^63',
  'subscription.time-unknown': () =>
    'no node shows the time of the chain, which decides when a subscription begins and ends: try again in a minute',
  'wallet.address-invalid': ({ address }: Texts<'address'>) => `${address} is not a TRON address`,
  'wallet.address-taken': ({ address }: Texts<'address'>) =>
    `${address} is already in the pool, where an account has one role`,
  'wallet.name-taken': ({ name }: Texts<'name'>) => `a pool wallet with the name ${name} already exists`,
  /** Open findings that the operator has not read. */
  'wallet.reason-needed': ({ name }: Texts<'name'>) =>
    `${name} was not resumed: a finding about it is open, so give a reason why it may take orders`,
  'wallet.finding-unread': ({ name, kinds }: { name: string; kinds: readonly string[] }) =>
    `${name} was not resumed: the service has since found more problems with it (${kinds.join(', ')})`,
  'wallet.none-lends': () => 'the pool has no wallet that delegates and exists on the chain: add one with pool:add',
  'wallet.in-use': ({ name, orders, transactions }: { name: string; orders: bigint; transactions: bigint }) =>
    `${name} still has ${orders} open or delegated orders and ${transactions} transactions under way: ` +
    'drain it (pool:drain) and wait until all its energy is back',
  'wallet.has-findings': ({ name, findings }: { name: string; findings: number }) =>
    `${plural(findings, 'finding', 'findings')} about ${name} ${findings === 1 ? 'is' : 'are'} open: resolve or acknowledge what finding:list shows first`,
  'wallet.lent-on-chain': ({ name, lentSun }: { name: string; lentSun: bigint }) =>
    `${formatTrx(lentSun)} TRX of ${name} are still delegated on the chain: take them back first, or try again a minute after the last reclaim`,
  'wallet.loans-unknown': ({ name }: Texts<'name'>) =>
    `no node shows what ${name} has delegated: run doctor to see why, then try again`,
  'webhook.url-not-https': () => 'the URL of a webhook must begin with https://',
  'webhook.url-private': () =>
    'the URL of a webhook must not point to a private or loopback address, or to a name that only a local network knows',
  'webhook.created-before': () => 'this webhook was already created, and its secret is shown only once',
  'webhook.newcomer': ({ most, together }: Numbers<'most' | 'together'>) =>
    `before its first top-up an account can have at most ${most} webhooks, and all new accounts of one network ${together} together`,
  'webhook.too-many': ({ most }: Numbers<'most'>) => `an account can have at most ${most} webhooks`,
  'webhook.test-too-often': ({ most }: Numbers<'most'>) =>
    `a webhook can be tested at most ${most} times a minute: try again in a minute`,
  'webhook.attempts-used-up': ({ most }: Numbers<'most'>) =>
    `an account has ${most} attempts a minute for tests, repeated deliveries, balance.low and events about deposits: try again in a minute`,
  'webhook.rotated-too-often': ({ most }: Numbers<'most'>) =>
    `a webhook's secret can be changed at most ${most} times a day`,
  'webhook.disabled': () => 'the webhook is disabled: enable it first',
  'notice.channel-closed': () => 'this channel is not set up',
  'finding.no-shortage': ({ kind }: Texts<'kind'>) =>
    `${kind} cannot be acknowledged: it closes once its problem is fixed. Only a shortage, the use of a wallet, and a finding about a removed wallet can be`,
  'finding.acknowledged-before': ({ id }: { id: bigint }) => `finding ${id} was already acknowledged`,
  'finding.resolved': ({ id }: { id: bigint }) => `finding ${id} is already resolved`,
  'finding.amount-unknown': ({ id }: { id: bigint }) =>
    `the amount of finding ${id} is not known yet: run reconcile first`,
  'witnesses.none-offered': () => 'the nodes name no other set of witnesses: there is nothing to accept',
  'witnesses.other-offered': ({ digest }: Texts<'digest'>) =>
    `the nodes now name a set with the digest ${digest}: compare it (witnesses:list) before you accept it`,
  'witnesses.file-not-written': ({ file, reason }: Texts<'file' | 'reason'>) => `${file} was not written: ${reason}`,
  'witnesses.unknown': () => 'the witnesses have not been read yet: the service reads them when it starts',
  'restore.nothing-to-confirm': () => 'the service has used this database all along: there is nothing to confirm',
  'chain.no-branch-refused': () =>
    'the longest branch that the nodes show undoes no final block: there is nothing to accept',
  'chain.other-branch': ({ id }: Texts<'id'>) =>
    `the branch that the nodes show now does not contain that block, or another block has meanwhile become final: its newest final block is ${id}`,
  'chain.block-provable': ({ number }: Numbers<'number'>) =>
    `the transactions of block ${number} can be proved: there is nothing to accept`,
  'chain.block-not-final': ({ number }: Numbers<'number'>) =>
    `block ${number}, as the nodes show it, is not signed by an active witness, or too few witnesses have built on it`,
  'chain.block-differing': ({ number }: Numbers<'number'>) =>
    `the nodes list different transactions for block ${number}: find out which node is wrong`,
  'stake.no-care': ({ name }: Texts<'name'>) =>
    `${name} has no stake care: first give it a key with a permission of its own (stake:care)`,
  'stake.key-missing': ({ name }: Texts<'name'>) =>
    `${name} has no stake care yet: give its key (--key-env, --key-file or --signer) and --permission-id`,
  'stake.not-lending': ({ name }: Texts<'name'>) =>
    `${name} delegates no stake: only wallets with the role delegate have stake care`,
  'stake.votes-missing': ({ name }: Texts<'name'>) =>
    `the stake care of ${name} names no witness yet: name witnesses with their weights (stake:care --vote)`,
  'stake.no-power': ({ name }: Texts<'name'>) =>
    `${name} has no voting power: its node shows no stake that gives any. Where chain parameter 51 is on, the first unfreezing of a wallet ends its voting power`,
  'stake.unread': ({ name }: Texts<'name'>) => `no node shows an account of ${name}: run doctor to see why`,
  'stake.under-way': ({ name, kind }: Texts<'name' | 'kind'>) =>
    `a ${kind} of ${name} is under way: wait until it is final or, after two minutes, expired (stake:list)`,
  'stake.asked-before': () => 'this form was sent before, and what it asked for is not done again',
  'stake.too-little': () => 'the network freezes 1 TRX or more: give a larger amount',
  'stake.not-free': ({ name, freeSun }: { name: string; freeSun: bigint }) =>
    `only ${formatTrx(freeSun)} TRX of the energy stake of ${name} are neither delegated nor reserved for orders: unfreeze no more than that`,
  'stake.reclaims-unpaid': ({ name, due }: { name: string; due: bigint }) =>
    `${name} must still be able to pay for the ${due} transactions that its open orders and its stake operations need: choose a smaller amount, or send TRX to the wallet`,
  'stake.no-slots': ({ name }: Texts<'name'>) =>
    `32 unfreezings of ${name} are already waiting: begin the next one when one of them has ended (stake:show)`,
  'finding.shortage-changed': ({ amountSun }: { amountSun: bigint }) =>
    `the shortage has meanwhile changed to ${formatTrx(amountSun)} TRX, so nothing was acknowledged: check it and try again`,
};

/** Why a receipt proves nothing. */
export const RECEIPTS = {
  'receipt.file-unreadable': ({ file }: Texts<'file'>) => `${file} cannot be read`,
  'receipt.malformed': ({ field }: Texts<'field'>) => `${field} is missing or is not valid`,
  'receipt.field-unknown': ({ field }: Texts<'field'>) => `the receipt has a field that nothing proves: ${field}`,
  'receipt.no-delegation': () => 'the transaction is not a delegation of energy that succeeded',
  'receipt.otherwise-proved': ({ field, stated, proved }: Texts<'field' | 'stated' | 'proved'>) =>
    `the receipt states ${stated} as its ${field}, but proves ${proved}`,
  'receipt.not-in-block': () => "the transaction and its branch do not lead to the root in the block's header",
  'receipt.no-header': () => 'the bytes of a header cannot be decoded',
  'receipt.not-signed': ({ block }: Numbers<'block'>) =>
    `block ${block} is not signed by an active witness of the given file. If the witnesses have changed since, give the file of that time`,
  'receipt.not-linked': ({ block }: Numbers<'block'>) =>
    `the header given for block ${block} does not follow the one before it`,
  'receipt.too-few-witnesses': ({ signed, needed }: Numbers<'signed' | 'needed'>) =>
    `${signed} of the given witnesses have built on the block, and ${needed} are needed`,
  'receipt.other-witnesses': ({ address }: Texts<'address'>) =>
    `the receipt names ${address} as an active witness with a key that the given file does not have for it: give the file of that time`,
};

/** For the command line, the audit log and the logs; the panel begins them with a capital. */
export const ENGLISH = { ...MISSING, ...INVALID_VALUES, ...REFUSED, ...RECEIPTS };

/** The command line and the logs add these: customers, who see the text in the panel, cannot change settings. */
export const FOR_OPERATORS: Readonly<Partial<Record<keyof typeof ENGLISH, string>>> = {
  'webhook.url-not-https': '; the setting WEBHOOK_ALLOW_PRIVATE=on allows http too',
  'webhook.url-private': '; the setting WEBHOOK_ALLOW_PRIVATE=on allows both',
};
