import { ORDER_STATES } from '../../src/common/order.states';
import { finding } from '../../src/findings/finding';
import { type FindingParameters, fitsReason, kindOf, type ReasonCode } from '../../src/common/finding-reasons';
import { type FindingSubject, nameOfSubject } from '../../src/common/finding-subject';
import { type FindingColumns, inEnglish, textsOf } from '../../src/findings/finding-text';
import { CHINESE_TERMS } from '../../src/languages/zh/findings/terms';
import { LANGUAGES } from '../../src/languages/languages';
import { CATALOGUES } from '../../src/panel/messages/catalogues';
import { MONEY_CHECKS } from '../../src/reconciliation/checks/money.checks';
import { ORDER_CHECKS } from '../../src/reconciliation/checks/order.checks';
import { TRANSACTION_CHECKS } from '../../src/reconciliation/checks/transaction.checks';
import { parametersOf, sentenceOf } from '../support/finding-parameters';

const [en, zh] = [LANGUAGES.en.findings, LANGUAGES.zh.findings];
const CODES = Object.keys(en.reasons) as ReasonCode[];
const HAN = /\p{Script=Han}/u;
const HALF_WIDTH = /\p{Script=Han}\s*[,;:?!()]|[,;:?!()]\s*\p{Script=Han}/u;

const ROW: FindingColumns = {
  kind: 'ledger_sum',
  subject: 'user 7',
  subject_type: 'user',
  subject_id: '7',
  wallet_id: null,
  wallet: null,
  receiver: null,
  reason_code: 'ledger_sum',
  parameters: { balance_sun: '3000000', last_entry_sun: '4000000' },
  reason: 'as written',
  next_step: 'as written too',
  action: null,
  action_code: null,
};

describe('what findings say', () => {
  it('has the same codes in both languages, and those of every check', () => {
    expect(Object.keys(zh.reasons).toSorted()).toEqual(CODES.toSorted());
    expect(Object.keys(zh.actions).toSorted()).toEqual(Object.keys(en.actions).toSorted());
    const checks = [...MONEY_CHECKS, ...ORDER_CHECKS, ...TRANSACTION_CHECKS];
    expect(new Set(checks.map(({ code }) => code)).size).toBe(checks.length);
    expect(checks.map(({ code }) => code).filter((code) => !CODES.includes(code))).toEqual([]);
  });

  it.each(CODES)('%s: a kind, a reason and a next step, of the same values in both languages', (code) => {
    expect(parametersOf(zh.reasons[code]).toSorted()).toEqual(parametersOf(en.reasons[code]).toSorted());
    const filled = parametersOf(en.reasons[code]).map((name) => [name, name === 'orders' ? ['7'] : '7'] as const);
    expect(fitsReason(code, Object.fromEntries(filled))).toBe(true);
    for (const [missing] of filled) {
      expect(fitsReason(code, Object.fromEntries(filled.filter(([name]) => name !== missing)))).toBe(false);
    }
    const english = [sentenceOf(en.reasons[code]), en.reasons[code].nextStep];
    const chinese = [zh.kind(kindOf(code)), sentenceOf(zh.reasons[code]), zh.reasons[code].nextStep];
    for (const text of english) expect(text).toMatch(/^[\x20-\x7e]{8,}$/);
    expect(en.kind(kindOf(code))).toMatch(/^[A-Z][ a-zA-Z]{8,60}$/);
    for (const text of chinese) expect(text).toMatch(HAN);
    for (const text of chinese) expect(text).not.toMatch(HALF_WIDTH);
    // Every amount of sun is shown in TRX.
    for (const text of [...english, ...chinese]) expect(text).not.toMatch(/\bsun\b|undefined|null/);
    const amounts = parametersOf(en.reasons[code]).filter((name) => name.endsWith('_sun'));
    for (const text of [english[0]!, chinese[1]!]) {
      expect(text.match(/0\.000007/g) ?? []).toHaveLength(amounts.length);
    }
  });

  it('names what was done, and what it is about', () => {
    for (const action of Object.values(zh.actions)) expect(action('main')).toMatch(HAN);
    expect(zh.actions.wallet_paused('main')).toContain('main');
    const subjects: [FindingSubject, string, string][] = [
      [{ type: 'delegation', id: '7' }, 'delegation 7', '订单 7'],
      [{ type: 'user', id: '7' }, 'user 7', '用户 7'],
      [{ type: 'transaction', id: '7' }, 'transaction 7', '交易 7'],
      [{ type: 'ledger_entry', id: '7' }, 'ledger entry 7', '账目 7'],
      [{ type: 'subscription', id: '7' }, 'subscription 7', '套餐 7'],
      [{ type: 'pool' }, 'pool', '钱包池'],
      [{ type: 'wallet', walletId: '1', wallet: 'main' }, 'main', 'main'],
      [{ type: 'wallet_transaction', id: '7', walletId: '1', wallet: 'a', receiver: null }, 'a 7', 'a 的交易 7'],
      [{ type: 'wallet_blocks', id: '7-9', walletId: '1', wallet: 'a' }, 'a blocks 7-9', 'a 区块 7-9'],
      [{ type: 'delegated_resource', walletId: '1', wallet: 'a to b', receiver: 'T' }, 'a to b to T', 'a to b → T'],
    ];
    for (const [subject, english, chinese] of subjects) {
      expect([nameOfSubject(subject), zh.subject(subject)]).toEqual([english, chinese]);
    }
  });

  it('says words of the rows in Chinese, the states of orders as the pages of orders do', () => {
    for (const state of ORDER_STATES) expect(CHINESE_TERMS[state]).toBe(CATALOGUES.zh.order.states[state]);
    const hold = { state: 'reclaiming', answer: 'none', hold: 'missing' };
    expect(zh.reasons.hold_state.reason(hold)).toBe('订单状态 回收中，应答 未应答，冻结 缺失');
    expect(zh.reasons.hold_without_order.reason({ hold: 'newer' })).toBe('没有该订单，冻结状态为 newer');
    const orphan = { purpose: 'reclaim', amount_sun: '-1500000' };
    expect(zh.reasons.orphan_transaction.reason(orphan)).toBe('回收交易（-1.5 TRX）没有对应订单');
  });

  it('keeps its English sentences, with and without what may be missing', () => {
    const about = { type: 'delegation', id: '7' } as const;
    const reason = <Code extends ReasonCode>(code: Code, parameters: FindingParameters[Code]) =>
      inEnglish(finding(code, parameters, about)).reason;
    expect(reason('account_held', { held_sun: '3000000', holds_sun: '4000000' })).toBe(
      '3 TRX are held, but the open holds add up to 4',
    );
    expect(reason('low_stake', { transactions: '1' })).toBe('the active wallets have energy for 1 transaction');
    expect(reason('low_stake', { transactions: '7' })).toBe('the active wallets have energy for 7 transactions');
    const overdue = { state: 'reclaiming', since: '2026-11-20 10:00:00+00' };
    expect(reason('overdue_reclaim', { ...overdue, error: null })).toBe('reclaiming since 2026-11-20 10:00:00+00');
    expect(reason('overdue_reclaim', { ...overdue, error: 'gone' })).toBe(
      'reclaiming since 2026-11-20 10:00:00+00: gone',
    );
    const charge = { charge_sun: '1', delegation_id: 'd' };
    expect(reason('charge_unfounded', { ...charge, hold: 'none' })).toMatch(/for delegation d, which holds nothing$/);
    expect(reason('charge_unfounded', { ...charge, hold: 'of_another_user' })).toMatch(
      /, which belongs to another user$/,
    );
    expect(reason('charge_unfounded', { ...charge, hold: 'held' })).toMatch(/, whose hold is held$/);
    const amounts = { stake_sun: '1000000', purpose: 'delegation', amount_sun: '1000000' };
    expect(reason('wrong_amount', { ...amounts, signed_sun: 'x' })).toMatch(/the signed one is for x$/);
  });

  it('is what a row says by its code, and its sentences where there is none that is known or that fits', () => {
    expect(textsOf(ROW, 'en')).toEqual({
      kind: 'Balance differs from the ledger',
      subject: 'user 7',
      reason: { text: 'the balance is 3 TRX, but after the last entry it was 4' },
      nextStep: { text: en.reasons.ledger_sum.nextStep },
      action: null,
    });
    expect(textsOf(ROW, 'zh')).toMatchObject({
      kind: '账目合计不符',
      subject: '用户 7',
      reason: { text: '余额为 3 TRX，最后一条账目之后为 4 TRX' },
    });
    const withoutMessage: Pick<FindingColumns, 'reason_code' | 'parameters'>[] = [
      { reason_code: null, parameters: null },
      { reason_code: 'newer', parameters: {} },
      { reason_code: 'delegation_missing', parameters: { lent_sun: '1', least_sun: '2' } },
      { reason_code: 'delegation_missing', parameters: { lent_sun: '1', least_sun: '2', orders: 'a' } },
      { reason_code: 'ledger_sum', parameters: { balance_sun: '1', last_entry_sun: null } },
    ];
    for (const unknown of withoutMessage) {
      const row = { ...ROW, ...unknown, kind: 'newer', subject_type: 'newer', action: 'done', action_code: 'newer' };
      expect(textsOf(row, 'en')).toEqual({
        kind: 'newer',
        subject: 'user 7',
        reason: { text: 'as written' },
        nextStep: { text: 'as written too' },
        action: { text: 'done' },
      });
      expect(textsOf(row, 'zh')).toEqual({
        kind: 'newer',
        subject: 'user 7',
        reason: { text: 'as written', lang: 'en' },
        nextStep: { text: 'as written too', lang: 'en' },
        action: { text: 'done', lang: 'en' },
      });
    }
    const paused = { ...ROW, action: 'paused: main takes no new orders', action_code: 'wallet_paused', wallet: 'main' };
    expect(textsOf(paused, 'zh').action).toEqual({ text: '已暂停：main 不再接新订单' });
    expect(textsOf(paused, 'en').action).toEqual({ text: paused.action });
  });
});
