import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ORDER_STATES } from '../../../src/delegation/order.states';
import { SHORTAGE_READ } from '../../../src/delegation/reclaim/reclaim.statements';
import { findingText } from '../../../src/panel/messages/finding-text';
import { eventName } from '../../../src/panel/orders/event-name';
import type { Check } from '../../../src/reconciliation/checks/check';
import { HOLD_CHECKS } from '../../../src/reconciliation/checks/hold.checks';
import { LEDGER_CHECKS } from '../../../src/reconciliation/checks/ledger.checks';
import { ORDER_CHECKS } from '../../../src/reconciliation/checks/order.checks';
import { PAYMENT_CHECKS } from '../../../src/reconciliation/checks/payment.checks';
import { TRANSACTION_CHECKS } from '../../../src/reconciliation/checks/transaction.checks';

const CHECKS: readonly Check[] = [
  ...HOLD_CHECKS,
  ...LEDGER_CHECKS,
  ...PAYMENT_CHECKS,
  ...ORDER_CHECKS,
  ...TRANSACTION_CHECKS,
];
const CHINESE = /\p{Script=Han}/u;

const source = (path: string) => readFileSync(join(__dirname, '../../../src/reconciliation', path), 'utf8');
/** Findings that are made in code, not by a statement. */
const CODE =
  source('chain/delegated-resource-findings.ts') +
  source('alarms/pool.alarms.ts') +
  source('alarms/activation.alarms.ts');
const literals = (pattern: RegExp, text = CODE) => [...text.matchAll(pattern)].map(([, found]) => found!);

const PANEL = join(__dirname, '../../../src/panel');

/** Every text of a catalogue; those that take numbers or names are given some. */
function leaves(messages: unknown, path: string): [path: string, text: string][] {
  if (typeof messages === 'string') return [[path, messages]];
  if (typeof messages === 'function')
    return [[path, (messages as (...given: unknown[]) => string)(['7'], ['7'], ['7'])]];
  return Object.entries(messages as object).flatMap(([name, value]) => leaves(value, `${path} ${name}`));
}

describe('in Chinese', () => {
  it.each(CHECKS.map((check) => ({ ...check, label: check.statement.name })))(
    'the finding of $label has a name, a next step and a reason',
    ({ kind, nextStep, statement }) => {
      expect(statement.text).not.toMatch(/ sun\b/);
      expect(findingText.kind(kind, 'zh')).toMatch(CHINESE);
      expect(findingText.nextStep(nextStep, 'zh').text).toMatch(CHINESE);
      const formats = literals(/format\(\s*'([^']+)'/g, statement.text);
      const fixed = literals(/'([^']+)'(?: \|\| created_at)? as reason/g, statement.text);
      expect(formats.length + fixed.length).toBeGreaterThan(0);
      const endings = literals(/(?:then|else) '(w[^']+)'/g, statement.text);
      for (const format of [...formats, ...fixed.map((text) => text.replace(/since $/, 'since %s'))]) {
        for (const shutdown of endings.length > 0 ? endings : ['%s']) {
          // The last amount may be words of its own.
          const filled = format.replace(/, %s$/, `, ${shutdown}`).replace(/ is $/, ' is %s');
          const reason = `${filled}${filled.endsWith(' ') ? '%s' : ''}`.replaceAll('%s', '2026-11-20');
          expect(findingText.reason(reason, 'zh')).toEqual({ text: expect.stringMatching(CHINESE) as string });
        }
      }
    },
  );

  it('findings of wallets and of what is lent have them too', () => {
    expect(CODE).not.toMatch(/\} sun\b/);
    const kinds = literals(/kind: '([^']+)'/g);
    const steps = literals(/next_step:\s*'([^']+)'/g);
    expect([kinds.length, steps.length]).toEqual([12, 12]);
    for (const kind of kinds) expect(findingText.kind(kind, 'zh')).toMatch(CHINESE);
    for (const step of steps) expect(findingText.nextStep(step, 'zh').text).toMatch(CHINESE);
    const amounts = literals(/amounts = `([^`]+)`/g);
    const counted = /\$\{plural\([^,]+, '([^']+)', '([^']+)'\)\}/;
    const reasons = literals(/reason: `([^`]+)`/g).flatMap((reason) => {
      if (counted.test(reason)) return [reason.replace(counted, '1 $1'), reason.replace(counted, '7 $2')];
      return reason.startsWith('${amounts}') ? amounts.map((amount) => reason.replace('${amounts}', amount)) : [reason];
    });
    const told = [...reasons, amounts.at(-1)!].map((reason) =>
      findingText.reason(reason.replaceAll(/\$\{[^}]+\}/g, '7'), 'zh'),
    );
    expect(told.filter(({ lang }) => lang === undefined)).toHaveLength(6 + 2 * 3 + 1 + 1 + 1);
  });

  it('what was done about a finding has words', () => {
    const mended = literals(/'(mended: [^']+)'/g, source('reconciler/mend-findings.ts'));
    const paused = literals(/`(paused: [^`]+)`/g, source('reconciler/reconciler.ts'));
    expect([mended.length, paused.length]).toEqual([3, 1]);
    for (const action of [...mended, ...paused]) expect(findingText.action(action, 'zh').text).toMatch(CHINESE);
  });

  it('amounts keep their unit, those of findings from before too, and words of the rows are translated', () => {
    const zh = (reason: string) => findingText.reason(reason, 'zh').text;
    expect(zh('3.000000 TRX are held, the open holds add up to 4.000000')).toBe(
      '冻结 3.000000 TRX，未结冻结合计 4.000000',
    );
    expect(zh('3000000 sun are held, the open holds add up to 4000000')).toBe('冻结 3000000 sun，未结冻结合计 4000000');
    expect(zh('state reclaiming, answer none, hold missing')).toBe('订单状态 回收中，应答 未应答，冻结 缺失');
    expect(zh('the active wallets have energy for 1 transaction')).toBe('启用中的钱包剩余能量可供 1 笔交易');
    expect(findingText.subject('delegation 7', 'zh')).toBe('订单 7');
    expect(findingText.subject('delegation 7', 'en')).toBe('delegation 7');
  });

  it('every word of the panel is Chinese, with full-width punctuation beside Chinese', async () => {
    const files = readdirSync(PANEL, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
    const catalogues = files.filter((name) => name.endsWith('.messages.ts'));
    expect(catalogues.length).toBeGreaterThan(10);
    const faults: string[] = [];
    for (const name of files) {
      const text = readFileSync(join(PANEL, name), 'utf8');
      for (const [found] of text.matchAll(/.*(?:\p{Script=Han}\s*[,;:?!()]|[,;:?!()]\s*\p{Script=Han}).*/gu))
        faults.push(found);
      if (/\bbilingual\b[<(]/.test(text) && !catalogues.includes(name) && !name.endsWith('bilingual.ts')) {
        faults.push(`${name} has messages outside of a catalogue`);
      }
    }
    for (const name of catalogues) {
      const exported = Object.values((await import(join(PANEL, name))) as Record<string, unknown>);
      const bilinguals = exported.filter((value) => typeof value === 'object') as { zh: unknown }[];
      expect([name, bilinguals.length]).toEqual([name, 1]);
      for (const [path, text] of leaves(bilinguals[0]!.zh, name))
        if (!CHINESE.test(text)) faults.push(`${path}: ${text}`);
    }
    expect(faults).toEqual([]);
  });

  it('every event of an order has a name, and English keeps the rows’ own', () => {
    const purposes = ['activation', 'delegation', 'reclaim'];
    const outcomes = ['sent', 'included', 'final', 'dead', 'dropped by a fork'];
    const ofTransactions = purposes.flatMap((purpose) => outcomes.map((outcome) => `${purpose} ${outcome}`));
    for (const kind of ['ordered', 'answered', 'reclaim failed', SHORTAGE_READ, ...ORDER_STATES, ...ofTransactions]) {
      expect(eventName(kind, 'zh')).toMatch(CHINESE);
      expect(eventName(kind, 'en')).toBe(kind);
    }
    expect(eventName('something newer', 'zh')).toBe('something newer');
  });

  it('keeps English for English pages, and says so of what it does not know', () => {
    expect(findingText.reason('has no account', 'en')).toEqual({ text: 'has no account' });
    expect(findingText.reason('something newer', 'zh')).toEqual({ text: 'something newer', lang: 'en' });
  });
});
