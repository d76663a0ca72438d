import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ORDER_STATES } from '../../../src/common/order.states';
import { SHORTAGE_READ } from '../../../src/delegation/reclaim/reclaim.statements';
import { eventName } from '../../../src/panel/orders/event-name';

const CHINESE = /\p{Script=Han}/u;
const HALF_WIDTH = /\p{Script=Han}\s*[,;:?!()]|[,;:?!()]\s*\p{Script=Han}/u;

const MESSAGES = join(__dirname, '../../../src/panel/messages');
const CATALOGUES = readdirSync(MESSAGES).filter((name) => name.endsWith('.messages.ts'));

type Bilingual = Readonly<Record<'en' | 'zh', unknown>>;

/** Every text of a catalogue; those that take numbers or names are given some. */
function leaves(messages: unknown, path: string): [path: string, text: string][] {
  if (typeof messages === 'string') return [[path, messages]];
  if (typeof messages === 'function')
    return [[path, (messages as (...given: unknown[]) => string)(['7'], ['7'], ['7'])]];
  return Object.entries(messages as object).flatMap(([name, value]) => leaves(value, `${path} ${name}`));
}

describe('in Chinese', () => {
  it('there are all the catalogues of the panel', () => {
    expect(CATALOGUES.length).toBeGreaterThan(10);
  });

  it.each(CATALOGUES)('every text of %s is Chinese, with full-width punctuation, and has its English', async (name) => {
    const exported = Object.values((await import(join(MESSAGES, name))) as Record<string, unknown>);
    const bilinguals = exported.filter((value) => typeof value === 'object') as Bilingual[];
    expect(bilinguals).toHaveLength(1);
    const [{ en, zh }] = bilinguals as [Bilingual];
    const chinese = leaves(zh, '');
    expect(chinese.map(([path]) => path)).toEqual(leaves(en, '').map(([path]) => path));
    expect(chinese.filter(([, text]) => !CHINESE.test(text) || HALF_WIDTH.test(text))).toEqual([]);
    expect(leaves(en, '').filter(([, text]) => CHINESE.test(text))).toEqual([]);
  });

  it('every event of an order has a name, and English keeps the rows’ own', () => {
    const purposes = ['activation', 'delegation', 'reclaim'];
    const outcomes = ['sent', 'included', 'final', 'dead', 'dropped by a fork'];
    const ofTransactions = purposes.flatMap((purpose) => outcomes.map((outcome) => `${purpose} ${outcome}`));
    for (const kind of ['ordered', 'answered', 'reclaim failed', SHORTAGE_READ, ...ORDER_STATES, ...ofTransactions]) {
      expect(eventName(kind, 'zh')).toMatch(CHINESE);
      expect(eventName(kind, 'zh')).not.toMatch(HALF_WIDTH);
      expect(eventName(kind, 'en')).toBe(kind);
    }
    expect(eventName('something newer', 'zh')).toBe('something newer');
  });
});
