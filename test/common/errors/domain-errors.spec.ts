import type { DomainErrorCode, DomainErrors } from '../../../src/common/errors/domain-errors';
import { refusals as CHINESE } from '../../../src/languages/zh/refusals';
import { ENGLISH, FOR_OPERATORS } from '../../../src/common/errors/domain-errors.english';
import { DomainError } from '../../../src/common/errors/domain.error';

const SAMPLES: { readonly [Code in DomainErrorCode]: DomainErrors[Code] } = {
  'deposit.not-found': { id: '01890a5d-ac96-774b-bcce-b302099a8057' },
  'deposit.address-unknown': { address: 'T1' },
  'deposit.restored': undefined,
  'deposit.rates-doubted': undefined,
  'deposit.off': undefined,
  'deposit.not-creditable': { state: 'seen' },
  'deposit.no-rate': undefined,
  'deposit.worth-nothing': undefined,
  'deposit.worth-changed': { amountSun: 31_500_000n },
  'deposit.rate-changed': undefined,
  'books.transaction-open': undefined,
  'deposit.scanner-behind': undefined,
  'deposit.needs-user': { address: 'T1' },
  'deposit.has-customer': { address: 'T1', user: 'a@example.com' },
  'deposit.not-unexplained': { amount: '1.000000', asset: 'TRX' },
  'sweep.no-destination': undefined,
  'sweep.destination-unfit': { address: 'T1', reason: 'it is a contract' },
  'sweep.none-planned': undefined,
  'sweep.file-not-written': { file: 'plan.json', reason: 'EEXIST' },
  'sweep.file-unreadable': { file: 'plan.json', reason: 'ENOENT' },
  'sweep.file-invalid': { reason: 'it is not a JSON object' },
  'sweep.key-file-unfit': { reason: 'it belongs to another user' },
  'sweep.not-signed': { address: 'T1', reason: 'its bytes have another owner' },
  'sweep.not-taken': { id: 's-1', reason: 'other bytes were planned' },
  'user.not-found': { email: 'a@example.com' },
  'sign-up.not-found': { email: 'a@example.com' },
  'sign-up.note-length': { longest: 500 },
  'token.not-found': { id: 't-1' },
  'subscription.not-found': { id: 's-1' },
  'order.not-found': { id: 'o-1' },
  'wallet.none-lends': undefined,
  'wallet.not-found': { name: 'main' },
  'finding.not-found': { id: 7n },
  'webhook.not-found': { id: 'w-1' },
  'delivery.not-found': { id: 'd-1' },
  'user.email-invalid': { email: 'nobody' },
  'user.name-length': { longest: 200 },
  'user.rate-limit-invalid': { most: 1_000_000 },
  'user.name-unseen': undefined,
  'token.name-unseen': undefined,
  'token.name-length': { longest: 100 },
  'token.receiver-invalid': { receiver: 'nobody' },
  'token.receivers-too-many': { most: 100 },
  'token.ip-invalid': { ip: 'nowhere' },
  'token.ips-too-many': { most: 100 },
  'movement.note-length': { longest: 500 },
  'movement.reference-empty': undefined,
  'movement.reference-length': { longest: 200 },
  'finding.note-missing': undefined,
  'wallet.name-unseen': undefined,
  'wallet.key-variable-invalid': undefined,
  'wallet.key-file-invalid': undefined,
  'wallet.signer-key-invalid': undefined,
  'wallet.key-file-not-absolute': undefined,
  'stake.votes-invalid': undefined,
  'webhook.url-invalid': undefined,
  'webhook.url-credentials': undefined,
  'webhook.url-address': undefined,
  'webhook.url-length': { longest: 2048 },
  'webhook.events-invalid': { events: ['balance.low', 'webhook.test'] },
  'sign-up.too-many-wait': undefined,
  'user.email-taken': undefined,
  'user.mailbox-taken': { email: 'a@example.com' },
  'user.unit-price-out-of-bounds': undefined,
  'user.rate-limit-not-positive': undefined,
  'user.is-oneself': undefined,
  'user.last-operator': undefined,
  'user.disabled': { email: 'a@example.com' },
  'user.name-changed': { name: 'Ann' },
  'user.operator-changed': { operator: true },
  'user.unit-price-changed': { unitPriceSun: 2_250_000n },
  'user.rate-limit-changed': { rateLimitPerMinute: 60 },
  'user.low-balance-changed': { lowBalanceSun: 50_000_000n },
  'token.daily-limit-changed': undefined,
  'token.max-cost-changed': undefined,
  'token.receivers-changed': undefined,
  'token.ips-changed': undefined,
  'webhook.url-changed': undefined,
  'webhook.events-changed': undefined,
  'password.length': { shortest: 12, longest: 200 },
  'password.common': undefined,
  'second-factor.code-wrong': undefined,
  'second-factor.none': { email: 'ann@example.com' },
  'invitation.not-valid': undefined,
  'token.created-before': undefined,
  'token.permissions-invalid': { permissions: ['delegate', 'balance'] },
  'token.days-invalid': { most: 36_500 },
  'movement.amount-not-positive': undefined,
  'movement.balance-insufficient': { amountSun: 6_500_000n },
  'movement.balance-too-large': { amountSun: 5_000_000n },
  'movement.reference-used': { reference: 'i-7', kind: 'credit', amountSun: 5_000_000n },
  'movement.quota-given': { reference: 'ab' },
  'movement.reference-of-deposit': { reference: 'deposit 1' },
  'refund.unknown': { txid: 'ab' },
  'refund.not-final': { txid: 'ab', number: 7 },
  'refund.unproved': { txid: 'ab', number: 7 },
  'refund.no-transfer': { txid: 'ab' },
  'refund.failed': { txid: 'ab' },
  'refund.other-address': { txid: 'ab', shown: 'TA', to: 'TB' },
  'refund.other-amount': { txid: 'ab', shownSun: 1n, amountSun: 2n },
  'refund.own-transaction': { txid: 'ab' },
  'refund.own-address': { to: 'TA' },
  'refund.txid-used': { txid: 'ab' },
  'refund.balance-insufficient': { amountSun: 1n },
  'subscription.balance-insufficient': { priceSun: 1n },
  'subscription.payment-missing': undefined,
  'subscription.created-before': undefined,
  'subscription.reference-used': { reference: 'inv-9' },
  'commit.not-done': { reference: 'inv-9' },
  'commit.unknown': { reference: 'inv-9' },
  'subscription.quota-invalid': undefined,
  'subscription.time-unknown': undefined,
  'wallet.address-invalid': { address: 'T1' },
  'wallet.address-taken': { address: 'T1' },
  'wallet.name-taken': { name: 'main' },
  'wallet.reason-needed': { name: 'main' },
  'wallet.finding-unread': { name: 'main', kinds: ['delegation_foreign'] },
  'wallet.in-use': { name: 'main', orders: 2n, transactions: 3n },
  'wallet.has-findings': { name: 'main', findings: 2 },
  'wallet.lent-on-chain': { name: 'main', lentSun: 5_000_000n },
  'wallet.loans-unknown': { name: 'main' },
  'webhook.url-not-https': undefined,
  'webhook.url-private': undefined,
  'webhook.created-before': undefined,
  'webhook.newcomer': { most: 5, together: 20 },
  'webhook.too-many': { most: 10 },
  'webhook.test-too-often': { most: 10 },
  'webhook.attempts-used-up': { most: 60 },
  'webhook.rotated-too-often': { most: 5 },
  'webhook.disabled': undefined,
  'notice.channel-closed': undefined,
  'finding.no-shortage': { kind: 'foreign_stake' },
  'finding.acknowledged-before': { id: 7n },
  'finding.resolved': { id: 7n },
  'finding.amount-unknown': { id: 7n },
  'witnesses.none-offered': undefined,
  'witnesses.other-offered': { digest: '0a1b' },
  'witnesses.file-not-written': { file: 'witnesses.json', reason: 'EACCES' },
  'witnesses.unknown': undefined,
  'restore.nothing-to-confirm': undefined,
  'chain.no-branch-refused': undefined,
  'chain.other-branch': { id: '00ab' },
  'chain.block-provable': { number: 7 },
  'chain.block-not-final': { number: 7 },
  'chain.block-differing': { number: 7 },
  'receipt.file-unreadable': { file: 'receipt.json' },
  'receipt.malformed': { field: 'header' },
  'receipt.field-unknown': { field: 'header' },
  'receipt.no-delegation': undefined,
  'receipt.otherwise-proved': { field: 'stake', stated: '5', proved: '6' },
  'receipt.not-in-block': undefined,
  'receipt.no-header': undefined,
  'receipt.not-signed': { block: 1105 },
  'receipt.not-linked': { block: 1105 },
  'receipt.too-few-witnesses': { signed: 18, needed: 19 },
  'receipt.other-witnesses': { address: 'TXYZ' },
  'stake.no-care': { name: 'main' },
  'stake.key-missing': { name: 'main' },
  'stake.not-lending': { name: 'main' },
  'stake.votes-missing': { name: 'main' },
  'stake.no-power': { name: 'main' },
  'stake.unread': { name: 'main' },
  'stake.under-way': { name: 'main', kind: 'vote' },
  'stake.asked-before': undefined,
  'stake.too-little': undefined,
  'stake.not-free': { name: 'main', freeSun: 1_500_000n },
  'stake.reclaims-unpaid': { name: 'main', due: 7n },
  'stake.no-slots': { name: 'main' },
  'finding.shortage-changed': { amountSun: 1_500_000n },
};
const CODES = Object.keys(SAMPLES) as DomainErrorCode[];

function errorOf(code: DomainErrorCode): DomainError {
  const make = DomainError as new (code: DomainErrorCode, parameters: unknown) => DomainError;
  return new make(code, SAMPLES[code]);
}

/** What a text has to say of each parameter that it shows as it is. */
function plainValues(code: DomainErrorCode): string[] {
  const values = Object.entries(SAMPLES[code] ?? {}).flatMap(([name, value]): unknown[] =>
    name.endsWith('Sun') ? [`${Number(value) / 1e6}`] : Array.isArray(value) ? value : [value],
  );
  return values.filter((value) => typeof value !== 'boolean').map(String);
}

describe('the catalogues of refusals', () => {
  it('have a text for the same codes in each language', () => {
    const codes = [...CODES].sort();
    expect([Object.keys(ENGLISH).sort(), Object.keys(CHINESE).sort()]).toEqual([codes, codes]);
  });

  it.each(CODES)('say %s whole in each language', (code) => {
    const error = errorOf(code);
    const [english, chinese] = [error.message, error.textIn(CHINESE)];
    expect(english).toBe(`${error.textIn(ENGLISH)}${FOR_OPERATORS[code] ?? ''}`);
    expect(chinese).toMatch(/\p{Script=Han}/u);
    expect(chinese).not.toMatch(/\p{Script=Han}\s*[,;:?!()]|[,;:?!()]\s*\p{Script=Han}/u);
    for (const text of [english, chinese]) expect(text).not.toMatch(/undefined|null|NaN|\[object|[{}$]/);
    for (const value of plainValues(code)) expect(english).toContain(value);
    // A kind has a name of its own in each language.
    const named = { ...SAMPLES[code] } as { kind?: string };
    for (const value of plainValues(code)) if (value !== named.kind) expect(chinese).toContain(value);
  });

  it('say a setting that went back to its default, and a role, in words', () => {
    const texts = (error: DomainError) => [error.message, error.textIn(CHINESE)];
    expect(texts(new DomainError('user.unit-price-changed', { unitPriceSun: null }))).toEqual([
      'the unit price has meanwhile been changed to the default, so nothing was saved: check it and try again',
      '单价已被他人改为“默认值”，您的修改未保存',
    ]);
    expect(texts(new DomainError('user.rate-limit-changed', { rateLimitPerMinute: null }))).toEqual([
      'the rate limit has meanwhile been changed to the default, so nothing was saved: check it and try again',
      '每分钟调用数已被他人改为“默认值”，您的修改未保存',
    ]);
    expect(texts(new DomainError('user.operator-changed', { operator: false }))).toEqual([
      'the operator role has meanwhile been changed to no, so nothing was saved: check it and try again',
      '运营权限已被他人改为“否”，您的修改未保存',
    ]);
    expect(texts(new DomainError('user.name-changed', { name: 'yes' }))[1]).toBe(
      '姓名已被他人改为“yes”，您的修改未保存',
    );
  });
});
