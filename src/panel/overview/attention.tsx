import { STUCK_KINDS } from '../../delegation/lookup/stuck-orders';
import { mayMeanStolenKey } from '../../findings/key-suspicions';
import type { UserVisit } from '../http/visit';
import { Instant, useMessages } from '../layout/components';
import type { Messages } from '../messages/catalogues';
import { outlookText } from '../messages/code-text';
import { WALLET_CAUSES } from '../../common/wallet-causes';
import { SIGN_UPS } from '../sign-ups/sign-up-list.page';
import { causesOf } from '../wallets/wallet-causes';
import { walletPath, WALLETS_PATH } from '../wallets/wallet-path';
import type { NeedsAttention } from './attention.service';

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

export function attentionItems({ messages: all }: UserVisit, attention: NeedsAttention): AttentionItem[] {
  const messages = all.overview;
  const { stuck, newOrders } = attention;
  const refusal = newOrders.refusal && outlookText(newOrders.refusal, all.newOrders);
  const alarms = countOf(attention.findings.filter(({ kind }) => mayMeanStolenKey(kind)));
  const findings = countOf(attention.findings) - alarms;
  const items: readonly (AttentionItem | false | null)[] = [
    alarms > 0 && { text: messages.stolenKey(alarms), href: FINDINGS, level: 'urgent' },
    refusal !== null && { text: refusal, href: WALLETS_PATH, level: 'urgent' },
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
    attention.signUps > 0 && { text: all.signUps.waiting(attention.signUps), href: SIGN_UPS, level: 'attention' },
    findings > 0 && { text: messages.findings(findings), href: FINDINGS, level: 'attention' },
  ];
  return items.filter((item): item is AttentionItem => Boolean(item));
}

function countOf(findings: NeedsAttention['findings']): number {
  return findings.reduce((sum, one) => sum + one.findings, 0);
}

function nodes(messages: Messages['overview'], { nodes: setAside }: NeedsAttention): AttentionItem[] {
  return setAside.map(({ host, blocks, since, all, left }) => ({
    text: blocks === null ? messages.nodeFails(host, left, all) : messages.nodeBehind(host, blocks, left, all),
    since,
    href: '/panel/operator/settings',
    level: left === 0 ? 'urgent' : 'attention',
  }));
}

/** Each cause by itself; one wallet is led to directly. */
function wallets(messages: Messages['overview'], { newOrders, findings }: NeedsAttention): AttentionItem[] {
  const causes = causesOf(newOrders, findings);
  return WALLET_CAUSES.flatMap((cause) => {
    const [first, ...others] = newOrders.wallets.filter(({ id }) => causes.get(id) === cause);
    if (!first) return [];
    return [
      {
        text: messages.causes[cause](others.length + 1),
        href: others.length === 0 ? walletPath(first) : `${WALLETS_PATH}?why=${cause}`,
        level: 'attention' as const,
      },
    ];
  });
}

/** Of the orders that were answered in the last hour. */
function failures(messages: Messages['overview'], { lastHour }: NeedsAttention): AttentionItem | null {
  const { succeeded, failed } = lastHour;
  const answered = succeeded + failed;
  const isBelow = (percent: number) => succeeded * 100 < answered * percent;
  if (answered < FEWEST_ANSWERS || !isBelow(WELL_PERCENT)) return null;
  return {
    text: messages.failures(failed, answered),
    href: '/panel/operator/orders?stuck=refused',
    level: isBelow(BAD_PERCENT) ? 'urgent' : 'attention',
  };
}

export function Attention({ items }: { items: readonly AttentionItem[] }) {
  const messages = useMessages('overview');
  if (items.length === 0) return <p class="notice">{messages.nothing}</p>;
  const level = items.some((item) => item.level === 'urgent') ? 'urgent' : 'attention';
  return (
    <section class={`notice ${level === 'urgent' ? 'refused' : 'attention'}`} aria-label={messages[level]}>
      <strong>{messages[level]}</strong>
      <ul>
        {items.map(({ text, href, since }) => (
          <li key={text}>
            <a href={href}>{text}</a>
            {since && <small> {messages.since(<Instant at={since} form="hour" />)}</small>}
          </li>
        ))}
      </ul>
    </section>
  );
}
