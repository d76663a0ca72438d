import { inEachLanguage, LANGUAGES, type Texts } from '../../languages/languages';
import { attentionItems } from '../attention/attention-items';
import type { NoticeItem } from '../notice-kinds';
import { dryText, glanceFacts, moreText } from './glance-facts';
import type { Glance } from './morning-glance';

/** The glance as a message, a line each: the verdict first, which is its subject too. */
export function glanceItems(glance: Glance, baseUrl: string): NoticeItem[] {
  const all = inLines((texts) => linesOf(texts, glance, baseUrl));
  return all.map((text) => ({ kind: 'glance', text }));
}

function linesOf({ panel, notices }: Texts, glance: Glance, baseUrl: string): string[] {
  const texts = panel.glance;
  const items = attentionItems(panel, glance.attention);
  return [
    items.length === 0 ? texts.good : texts.needsYou(items.length),
    ...items.map(({ text, href }) => `${text}: ${baseUrl}${href}`),
    ...glanceFacts(panel, glance).map(({ name, value, note }) => notices.glanceFact(name, value, note)),
    customers(
      texts.dry,
      glance.dry.map((one) => `${one.email} (${dryText(one, texts)})`),
      moreText(glance.dry, texts),
    ) ?? texts.noneDry,
    customers(
      texts.quiet,
      glance.quiet.map(
        ({ email, lastOrderAt }) => `${email} (${texts.lastOrder(lastOrderAt.toISOString().slice(0, 10))})`,
      ),
      moreText(glance.quiet, texts),
    ) ?? texts.noneQuiet,
  ];

  function customers(name: string, listed: readonly string[], more: string | null): string | null {
    return listed.length === 0 ? null : notices.glanceCustomers(name, more === null ? listed : [...listed, more]);
  }
}

/** The same lines of every language, as many in each. */
function inLines(linesIn: (texts: Texts) => readonly string[]): NoticeItem['text'][] {
  const count = linesIn(LANGUAGES.en).length;
  return Array.from({ length: count }, (_, line) => inEachLanguage((texts) => linesIn(texts)[line]!));
}
