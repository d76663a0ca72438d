import { groupDigits, shortTrx } from '../../common/money/grouped-digits';
import type { Texts } from '../../languages/languages';
import type { DryCustomer, QuietCustomer } from '../../reporting/glance/glance.repository';
import type { Glance } from './morning-glance';

type GlanceTexts = Texts['panel']['glance'];

export interface GlanceFact {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

/** Energy and money in words, each once for page and mail. */
export function glanceFacts(
  { glance: texts, energy: energyTexts }: Pick<Texts['panel'], 'glance' | 'energy'>,
  { energy, money }: Pick<Glance, 'energy' | 'money'>,
): GlanceFact[] {
  return [
    {
      name: texts.energy,
      value: energy === null ? '–' : texts.energyFor(groupDigits(energy.transactions)),
      note: energy === null ? texts.unknown : lasts(energy, texts, energyTexts),
    },
    {
      name: texts.revenue,
      value: `${shortTrx(money.chargedSun)} TRX`,
      note: texts.lastWeek(shortTrx(money.chargedLastWeekSun)),
    },
    { name: texts.paidIn, value: `${shortTrx(money.paidInSun)} TRX`, note: texts.payments(money.payments) },
    { name: texts.owed, value: `${shortTrx(money.owedSun)} TRX`, note: texts.owedTo(money.owedTo) },
  ];
}

function lasts(
  { transactions, emptyInMs }: NonNullable<Glance['energy']>,
  texts: GlanceTexts,
  { hoursAndMinutes }: Texts['panel']['energy'],
): string {
  if (transactions === 0n) return texts.noneLeft;
  if (emptyInMs === null) return texts.lastsLonger;
  const minutes = Math.max(1, Math.round(emptyInMs / 60_000));
  return texts.lasts(hoursAndMinutes(Math.floor(minutes / 60), minutes % 60));
}

export function dryText({ availableSun, aDaySun }: DryCustomer, texts: GlanceTexts): string {
  return texts.dryCustomer(shortTrx(availableSun), shortTrx(aDaySun));
}

/** How many customers a list leaves out; null: none. */
export function moreText(named: readonly (DryCustomer | QuietCustomer)[], texts: GlanceTexts): string | null {
  const more = (named[0]?.all ?? 0) - named.length;
  return more > 0 ? texts.more(more) : null;
}
