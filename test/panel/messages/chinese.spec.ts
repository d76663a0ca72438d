import { ORDER_STATES } from '../../../src/common/order.states';
import { SHORTAGE_READ } from '../../../src/delegation/reclaim/reclaim.statements';
import { CATALOGUES, type Messages } from '../../../src/panel/messages/catalogues';

const CHINESE = /\p{Script=Han}/u;
const HALF_WIDTH = /\p{Script=Han}\s*[,;:?!()]|[,;:?!()]\s*\p{Script=Han}/u;

const { en, zh } = CATALOGUES;
/** They stand alone in Chinese too. */
const NAMES = ['TRX', 'Telegram', 'Webhook'];
/** What is no text, or is the rows' own. */
const NO_TEXTS = [' language', ' order event'];
const AREAS = (Object.keys(en) as (keyof Messages)[]).filter((area) => area !== 'language');

/** Every text of a catalogue; those that take numbers or names are given some. */
function leaves(messages: unknown, path: string): [path: string, text: string][] {
  if (NO_TEXTS.includes(path)) return [];
  if (typeof messages === 'string') return [[path, messages]];
  if (typeof messages === 'function') {
    const text = (messages as (...given: unknown[]) => string | unknown[])(['71'], ['72'], ['73'], ['74']);
    return [[path, typeof text === 'string' ? text : text.join('')]];
  }
  return Object.entries(messages as object).flatMap(([name, value]) => leaves(value, `${path} ${name}`));
}

function slotsIn(text: string): string[] {
  return [...new Set(text.match(/7[1-4]/g))].sort();
}

describe('in Chinese', () => {
  it('there are all the areas of the panel, and no other', () => {
    expect(AREAS.length).toBeGreaterThan(20);
    expect(Object.keys(zh)).toEqual(Object.keys(en));
  });

  it.each(AREAS)('every text of %s is Chinese, with full-width punctuation, and has its English', (area) => {
    const [english, chinese] = [leaves(en[area], ` ${area}`), leaves(zh[area], ` ${area}`)];
    expect(english.length).toBeGreaterThan(3);
    expect(chinese.map(([path]) => path)).toEqual(english.map(([path]) => path));
    const texts = chinese.filter(([, text]) => !NAMES.includes(text));
    expect(texts.filter(([, text]) => !CHINESE.test(text) || HALF_WIDTH.test(text))).toEqual([]);
    expect(english.filter(([, text]) => CHINESE.test(text))).toEqual([]);
  });

  it('every event of an order has a name, and English keeps the rows’ own', () => {
    const purposes = ['activation', 'delegation', 'reclaim'];
    const outcomes = ['sent', 'included', 'final', 'dead', 'dropped by a fork'];
    const ofTransactions = purposes.flatMap((purpose) => outcomes.map((outcome) => `${purpose} ${outcome}`));
    for (const kind of ['ordered', 'answered', 'reclaim failed', SHORTAGE_READ, ...ORDER_STATES, ...ofTransactions]) {
      expect(zh.order.event(kind)).toMatch(CHINESE);
      expect(zh.order.event(kind)).not.toMatch(HALF_WIDTH);
      expect(en.order.event(kind)).toBe(kind);
    }
    expect(zh.order.event('something newer')).toBe('something newer');
  });
});

describe('in every language', () => {
  it.each(AREAS)('every text of %s has the slots of its English', (area) => {
    const slots = (messages: unknown) => leaves(messages, ` ${area}`).map(([path, text]) => [path, slotsIn(text)]);
    for (const messages of Object.values(CATALOGUES)) expect(slots(messages[area])).toEqual(slots(en[area]));
  });
});
