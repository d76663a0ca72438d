import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditCheck } from '../../src/billing/audit/audit-check';
import { HOLD_CHECKS } from '../../src/billing/audit/hold.checks';
import { LEDGER_CHECKS } from '../../src/billing/audit/ledger.checks';
import { ORDER_CHECKS } from '../../src/billing/audit/order.checks';
import { ORDER_LIFE_CHECKS } from '../../src/delegation/audit/order.checks';
import { TRANSACTION_CHECKS } from '../../src/delegation/audit/transaction.checks';
import { DELEGATION_STATES } from '../../src/delegation/delegation.states';
import { findingText } from '../../src/panel/operator/findings/finding-text';
import { eventName } from '../../src/panel/orders/event-name';

const CHECKS: readonly AuditCheck[] = [
  ...HOLD_CHECKS,
  ...LEDGER_CHECKS,
  ...ORDER_CHECKS,
  ...ORDER_LIFE_CHECKS,
  ...TRANSACTION_CHECKS,
];
const CHINESE = /\p{Script=Han}/u;

const source = (path: string) => readFileSync(join(__dirname, '../../src/delegation', path), 'utf8');
/** Findings that are made in code, not by a statement. */
const CODE = source('audit/pair-findings.ts') + source('reconciler/pool.alarms.ts');
const literals = (pattern: RegExp, text = CODE) => [...text.matchAll(pattern)].map(([, found]) => found!);

describe('in Chinese', () => {
  it.each(CHECKS.map((check) => ({ ...check, label: check.statement.name })))(
    'the finding of $label has a name, a next step and a reason',
    ({ kind, nextStep, statement }) => {
      expect(findingText.kind(kind, 'zh')).toMatch(CHINESE);
      expect(findingText.nextStep(nextStep, 'zh').text).toMatch(CHINESE);
      const formats = literals(/format\(\s*'([^']+)'/g, statement.text);
      const fixed = literals(/'([^']+)'(?: \|\| created_at)? as reason/g, statement.text);
      expect(formats.length + fixed.length).toBeGreaterThan(0);
      const endings = literals(/(?:then|else) '(w[^']+)'/g, statement.text);
      for (const format of [...formats, ...fixed.map((text) => text.replace(/since $/, 'since %s'))]) {
        for (const ending of endings.length > 0 ? endings : ['%s']) {
          // The last amount may be words of its own.
          const filled = format.replace(/, %s$/, `, ${ending}`).replace(/ is $/, ' is %s');
          const reason = `${filled}${filled.endsWith(' ') ? '%s' : ''}`.replaceAll('%s', '2026-11-20');
          expect(findingText.reason(reason, 'zh')).toEqual({ text: expect.stringMatching(CHINESE) as string });
        }
      }
    },
  );

  it('findings of wallets and of what is lent have them too', () => {
    const kinds = literals(/kind: '([^']+)'/g);
    const steps = literals(/next_step:\s*'([^']+)'/g);
    expect([kinds.length, steps.length]).toEqual([8, 8]);
    for (const kind of kinds) expect(findingText.kind(kind, 'zh')).toMatch(CHINESE);
    for (const step of steps) expect(findingText.nextStep(step, 'zh').text).toMatch(CHINESE);
    const amounts = literals(/amounts = `([^`]+)`/g);
    const reasons = literals(/reason: `([^`]+)`/g).flatMap((reason) =>
      reason.startsWith('${amounts}') ? amounts.map((amount) => reason.replace('${amounts}', amount)) : [reason],
    );
    const told = [...reasons, amounts.at(-1)!].map((reason) =>
      findingText.reason(reason.replaceAll(/\$\{[^}]+\}/g, '7'), 'zh'),
    );
    expect(told.filter(({ lang }) => lang === undefined)).toHaveLength(4 + 3 + 1);
  });

  it('what was done about a finding has words', () => {
    const mended = literals(/'(mended: [^']+)'/g, source('reconciler/mend-findings.ts'));
    const paused = literals(/`(paused: [^`]+)`/g, source('reconciler/reconciler.ts'));
    expect([mended.length, paused.length]).toEqual([3, 1]);
    for (const action of [...mended, ...paused]) expect(findingText.action(action, 'zh').text).toMatch(CHINESE);
  });

  it('every event of an order has a name, and English keeps the rows’ own', () => {
    const purposes = ['activation', 'delegation', 'reclaim'];
    const fates = ['sent', 'included', 'final', 'dead', 'dropped by a fork'];
    const ofTransactions = purposes.flatMap((purpose) => fates.map((fate) => `${purpose} ${fate}`));
    for (const kind of ['ordered', 'answered', 'reclaim failed', ...DELEGATION_STATES, ...ofTransactions]) {
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
