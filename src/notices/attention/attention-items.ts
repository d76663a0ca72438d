import { STUCK_KINDS } from '../../delegation/lookup/stuck-orders';
import { mayMeanStolenKey } from '../../findings/key-suspicions';
import { WALLET_CAUSES } from '../../common/wallet-causes';
import type { Texts } from '../../languages/languages';
import type { LastHour } from '../../reporting/overviews/order-overview.repository';
import type { NeedsAttention } from './attention.service';
import { outlookText } from './outlook-text';
import { causesOf } from './wallet-causes';

type OverviewTexts = Texts['panel']['overview'];

export interface AttentionItem {
  readonly text: string;
  /** Since when, where that is known. */
  readonly since?: Date | null;
  readonly href: string;
  readonly level: 'attention' | 'urgent';
}

/** Too few answers for a rate. Every failure counts as the service's own: a wrong call makes no order. */
const FEWEST_ANSWERS = 3;
const WELL_PERCENT = 95;
const BAD_PERCENT = 50;

const FINDINGS = '/panel/operator/findings';
const WALLETS = '/panel/operator/wallets';

/** The same sentences for the panel's pages and for the morning glance, the gravest first. */
export function attentionItems(
  all: Pick<Texts['panel'], 'overview' | 'newOrders' | 'signUps'>,
  attention: NeedsAttention,
): AttentionItem[] {
  const messages = all.overview;
  const { stuck, newOrders } = attention;
  const refusal = newOrders.refusal && outlookText(newOrders.refusal, all.newOrders);
  const alarms = countOf(attention.findings.filter(({ kind }) => mayMeanStolenKey(kind)));
  const findings = countOf(attention.findings) - alarms;
  const items: readonly (AttentionItem | false | null)[] = [
    alarms > 0 && { text: messages.stolenKey(alarms), href: FINDINGS, level: 'urgent' },
    refusal !== null && { text: refusal, href: WALLETS, level: 'urgent' },
    failures(messages, attention),
    ...nodes(messages, attention),
    ...wallets(messages, attention),
    ...STUCK_KINDS.filter((kind) => kind !== 'refused').map(
      (kind) =>
        stuck[kind] > 0 && {
          text: messages[kind](stuck[kind]),
          href: `/panel/operator/orders?stuck=${kind}`,
          level: 'attention' as const,
        },
    ),
    attention.signUps > 0 && {
      text: all.signUps.waiting(attention.signUps),
      href: '/panel/operator/sign-ups',
      level: 'attention',
    },
    attention.deposits > 0 && {
      text: messages.waitingDeposits(attention.deposits),
      href: '/panel/operator/deposits',
      level: 'attention',
    },
    findings > 0 && { text: messages.findings(findings), href: FINDINGS, level: 'attention' },
  ];
  const present = items.filter((item): item is AttentionItem => Boolean(item));
  return present.toSorted((one, other) => Number(other.level === 'urgent') - Number(one.level === 'urgent'));
}

function countOf(findings: NeedsAttention['findings']): number {
  return findings.reduce((sum, one) => sum + one.findings, 0);
}

function nodes(messages: OverviewTexts, { nodes: setAside }: NeedsAttention): AttentionItem[] {
  return setAside.map(({ host, blocks, since, all, left }) => ({
    text: blocks === null ? messages.nodeFails(host, left, all) : messages.nodeBehind(host, blocks, left, all),
    since,
    href: '/panel/operator/settings',
    level: left === 0 ? 'urgent' : 'attention',
  }));
}

/** Each cause by itself; one wallet is led to directly. */
function wallets(messages: OverviewTexts, { newOrders, findings }: NeedsAttention): AttentionItem[] {
  const causes = causesOf(newOrders, findings);
  return WALLET_CAUSES.flatMap((cause) => {
    const [first, ...others] = newOrders.wallets.filter(({ id }) => causes.get(id) === cause);
    if (!first) return [];
    return [
      {
        text: messages.causes[cause](others.length + 1),
        href: others.length === 0 ? `${WALLETS}/${first.id}` : `${WALLETS}?why=${cause}`,
        level: 'attention' as const,
      },
    ];
  });
}

/** Only orders that were answered in the last hour count. */
function failures(messages: OverviewTexts, { lastHour }: NeedsAttention): AttentionItem | null {
  const level = levelOfAnswers(lastHour);
  if (level === null) return null;
  const { succeeded, failed } = lastHour;
  return { text: messages.failures(failed, succeeded + failed), href: '/panel/operator/orders?stuck=refused', level };
}

/** Null: too few answers for a rate, or a good one. */
export function levelOfAnswers({ succeeded, failed }: Pick<LastHour, 'succeeded' | 'failed'>) {
  const answered = succeeded + failed;
  const isBelow = (percent: number) => succeeded * 100 < answered * percent;
  if (answered < FEWEST_ANSWERS || !isBelow(WELL_PERCENT)) return null;
  return isBelow(BAD_PERCENT) ? 'urgent' : 'attention';
}
