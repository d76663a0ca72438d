import { STUCK_KINDS } from '../../delegation/lookup/stuck-orders';
import { mayMeanStolenKey } from '../../findings/key-suspicions';
import type { UserVisit } from '../http/visit';
import { Instant, useMessages } from '../layout/components';
import type { Messages } from '../messages/catalogues';
import { outlookText } from '../messages/code-text';
import { WALLET_CAUSES, causesOf } from '../wallets/wallet-causes';
import { walletPath, WALLETS_PATH } from '../wallets/wallet-path';
import type { NeedsAttention } from './attention.service';

type Level = 'attention' | 'trouble';

export interface Trouble {
  readonly text: string;
  /** Since when, where that is known. */
  readonly since?: Date | null;
  readonly href: string;
  readonly level: Level;
}

/** Too few answers for a rate. Every failure counts as the service's own: a wrong call makes no order. */
const FEWEST_ANSWERS = 3;
const WELL_PERCENT = 95;
const BAD_PERCENT = 50;

const FINDINGS = '/panel/operator/findings';

export function troublesOf({ messages: all }: UserVisit, attention: NeedsAttention): Trouble[] {
  const messages = all.overview;
  const { stuck, newOrders } = attention;
  const refusal = newOrders.refusal && outlookText(newOrders.refusal, all.newOrders);
  const alarms = countOf(attention.findings.filter(({ kind }) => mayMeanStolenKey(kind)));
  const findings = countOf(attention.findings) - alarms;
  const troubles: readonly (Trouble | false | null)[] = [
    alarms > 0 && { text: messages.stolenKey(alarms), href: FINDINGS, level: 'trouble' },
    refusal !== null && { text: refusal, href: WALLETS_PATH, level: 'trouble' },
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
    findings > 0 && { text: messages.findings(findings), href: FINDINGS, level: 'attention' },
  ];
  return troubles.filter((trouble): trouble is Trouble => Boolean(trouble));
}

function countOf(findings: NeedsAttention['findings']): number {
  return findings.reduce((sum, one) => sum + one.findings, 0);
}

function nodes(messages: Messages['overview'], { nodes: troubled }: NeedsAttention): Trouble[] {
  return troubled.map(({ host, blocks, since, all, left }) => ({
    text: blocks === null ? messages.nodeFails(host, left, all) : messages.nodeBehind(host, blocks, left, all),
    since,
    href: '/panel/operator/settings',
    level: left === 0 ? 'trouble' : 'attention',
  }));
}

/** Each cause by itself; one wallet is led to directly. */
function wallets(messages: Messages['overview'], { newOrders, findings }: NeedsAttention): Trouble[] {
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
function failures(messages: Messages['overview'], { lastHour }: NeedsAttention): Trouble | null {
  const { succeeded, failed } = lastHour;
  const answered = succeeded + failed;
  const isBelow = (percent: number) => succeeded * 100 < answered * percent;
  if (answered < FEWEST_ANSWERS || !isBelow(WELL_PERCENT)) return null;
  return {
    text: messages.failures(failed, answered),
    href: '/panel/operator/orders?stuck=refused',
    level: isBelow(BAD_PERCENT) ? 'trouble' : 'attention',
  };
}

export function Attention({ troubles }: { troubles: readonly Trouble[] }) {
  const messages = useMessages('overview');
  if (troubles.length === 0) return <p class="notice">{messages.nothing}</p>;
  const level: Level = troubles.some((trouble) => trouble.level === 'trouble') ? 'trouble' : 'attention';
  return (
    <section class={`notice ${level === 'trouble' ? 'refused' : 'attention'}`} aria-label={messages[level]}>
      <strong>{messages[level]}</strong>
      <ul>
        {troubles.map(({ text, href, since }) => (
          <li key={text}>
            <a href={href}>{text}</a>
            {since && <small> {messages.since(<Instant at={since} form="hour" />)}</small>}
          </li>
        ))}
      </ul>
    </section>
  );
}
