import { ERROR_CODES } from '../../../src/common/errors/error-codes';
import { ORDER_STATES } from '../../../src/common/order.states';
import { CATALOGUES } from '../../../src/panel/messages/catalogues';
import { textOfCode } from '../../../src/panel/messages/code-text';
import { progressOf, isFree } from '../../../src/panel/orders/order-progress';

describe('what became of an order', () => {
  it.each([
    ['pending', 'none', 'open', false],
    ['sent', 'success', 'open', false],
    ['activating', 'none', 'activating', false],
    ['sent', 'failure', 'mayLand', true],
    ['included', 'failure', 'mayLand', true],
    ['failed', 'failure', 'neverLanded', true],
    ['failed', 'none', 'neverLanded', true],
    ['failed', 'success', 'lost', true],
    ['taking_back', 'failure', 'takingBack', true],
    ['taken_back', 'failure', 'takenBack', true],
    ['delegated', 'success', 'lent', false],
    ['reclaiming', 'none', 'lent', false],
    ['reclaimed', 'success', 'reclaimed', false],
  ] as const)('%s and answered with %s is %s, free: %s', (state, answer, outcome, free) => {
    expect(progressOf({ state, answer, txid: 'a', activation_txid: null })).toBe(outcome);
    expect(isFree({ state, answer })).toBe(free);
  });

  it('is that nothing can land when nothing was signed', () => {
    for (const answer of ['failure', 'none'] as const) {
      expect(progressOf({ state: 'failed', answer, txid: null, activation_txid: null })).toBe('unsigned');
      expect(progressOf({ state: 'failed', answer, txid: null, activation_txid: 'a' })).toBe('activationOnly');
    }
  });

  it('has words for every state, and a sentence for every code in both languages', () => {
    for (const messages of Object.values(CATALOGUES).map(({ answer }) => answer)) {
      for (const state of ORDER_STATES) {
        expect(messages.outcomes[progressOf({ state, answer: 'failure', txid: null, activation_txid: null })]).toMatch(
          /[.。]$/,
        );
      }
      for (const code of ERROR_CODES) expect(textOfCode(code, messages.codes)).toMatch(/[.。]$/);
      expect(textOfCode('SOMETHING_NEWER', messages.codes)).toBeNull();
      expect(textOfCode('toString', messages.codes)).toBeNull();
    }
  });
});
