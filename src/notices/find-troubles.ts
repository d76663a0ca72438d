import { Injectable } from '@nestjs/common';
import { ConfiguredNodes } from '../chain/tron/node/configured-nodes';
import { changeText } from '../chain/verified-chain/witnesses/change-text';
import { WitnessSetRepository } from '../chain/verified-chain/witnesses/witness-set.repository';
import { Clock } from '../common/clock';
import type { OrderRefusal } from '../common/why-refused';
import { OrderOutlook } from '../reporting/outlooks/order-outlook';
import { OrderOverviewRepository } from '../reporting/overviews/order-overview.repository';
import { MailRepository } from '../mail/mail.repository';
import type { MailBacklog } from '../mail/mail.statements';
import { SignUpService } from '../auth/sign-ups/sign-up.service';
import type { Waiting } from '../auth/sign-ups/sign-up.statements';
import { DepositLookup } from '../deposits/deposit-lookup';
import type { WaitingDeposits } from '../deposits/deposit.statements';
import { textsOf } from '../findings/finding-text';
import { FindingRepository } from '../findings/finding.repository';
import type { FindingRow } from '../findings/finding.statements';
import { type InEachLanguage, inEachLanguage } from '../languages/languages';
import { levelOfAnswers } from './attention/attention-items';
import type { NoticeKind, Trouble } from './notice-kinds';
import { NoticeRepository } from './notice.repository';

/** More findings than anybody reads in a message; the panel has all of them. */
const MOST_FINDINGS = 200;
const LOW: readonly NoticeKind[] = ['low_stake', 'low_bandwidth', 'low_trx'];
/** A user who waits for a link has given up by then. */
const MAILS_LATE_SECONDS = 1_800;
/** One refused domain may be a stranger's; so many, and no mail taken since, are a matter of the mail server. */
const REFUSED_DOMAINS = 3;
/** A late reading, or a node that comes back, does not concern an operator either. Looks are a minute apart: the fourth one reports it. */
const REFUSED_FOR_MS = 170_000;
/** A single call that fails does not concern an operator: the next look finds the node in use again. */
const LASTS_MS = 50_000;

/** Finds what is wrong now, as the service itself knows it. */
@Injectable()
export class FindTroubles {
  /** Since when each node is set aside, on the monotonic clock. */
  private asideSinceMs = new Map<string, number>();
  /** Since when no order could be taken, likewise. */
  private refusedSinceMs: number | null = null;

  constructor(
    private readonly findings: FindingRepository,
    private readonly orders: OrderOverviewRepository,
    private readonly outlook: OrderOutlook,
    private readonly nodes: ConfiguredNodes,
    private readonly witnesses: WitnessSetRepository,
    private readonly notices: NoticeRepository,
    private readonly clock: Clock,
    private readonly signUps: SignUpService,
    private readonly mails: MailRepository,
    private readonly deposits: DepositLookup,
  ) {}

  /** For operators. Nodes as this instance sees them. */
  async ofService(): Promise<Trouble[]> {
    const [open, lastHour, { refusal }, stopped, changes, signUps, backlog, deposits] = await Promise.all([
      this.findings.page(false, MOST_FINDINGS, null),
      this.orders.lastHour(),
      this.outlook.now(),
      this.notices.stoppedWebhooks(),
      this.witnesses.recentChanges(),
      this.signUps.countWaiting(),
      this.mails.backlog(),
      this.deposits.waiting(),
    ]);
    const { succeeded, failed } = lastHour;
    return [
      ...open.map(ofFinding),
      ...(levelOfAnswers(lastHour) === 'urgent'
        ? [
            trouble(
              'orders_failing',
              'orders',
              inEachLanguage(({ notices }) => notices.ordersFailing(succeeded, succeeded + failed)),
            ),
          ]
        : []),
      ...this.ofRefusal(refusal),
      ...this.ofNodes(),
      ...ofMails(backlog),
      ...stopped.map(({ id, url, email, disabledAt }) => ({
        ...trouble(
          'webhook_disabled',
          id,
          inEachLanguage(({ notices }) => notices.webhookDisabled(new URL(url).host, email)),
        ),
        begunAt: disabledAt,
        reminds: false,
      })),
      ...changes.map((change) => ({
        ...trouble(
          'witness_changed',
          `${change.number} ${(change.joined ?? change.gone)!.address}`,
          changeText(change),
        ),
        begunAt: change.created_at,
        reminds: false,
      })),
      ...ofSignUps(signUps),
      ...ofDeposits(deposits),
    ];
  }

  /** For each its user: once for each time it has become low. */
  async ofCustomers(): Promise<(Trouble & { readonly userId: string })[]> {
    const low = await this.notices.lowBalances();
    return low.map(({ userId, availableSun, thresholdSun, lowSince }) => ({
      kind: 'low_balance',
      thing: userId,
      userId,
      begunAt: lowSince,
      reminds: false,
      text: inEachLanguage(({ notices }) => notices.lowBalance(availableSun, thresholdSun)),
    }));
  }

  /** Orders that are refused before they have a row fail in no count of answers. As this instance would answer. */
  private ofRefusal(refusal: OrderRefusal | null): Trouble[] {
    if (refusal === null) this.refusedSinceMs = null;
    else this.refusedSinceMs ??= this.clock.monotonicMs();
    if (refusal === null || this.clock.monotonicMs() - this.refusedSinceMs! < REFUSED_FOR_MS) return [];
    return [
      trouble(
        'orders_failing',
        'every order',
        inEachLanguage(({ notices }) => notices.ordersRefused(refusal)),
      ),
    ];
  }

  private ofNodes(): Trouble[] {
    const nowMs = this.clock.monotonicMs();
    const since = this.nodes.setAside().map((host) => [host, this.asideSinceMs.get(host) ?? nowMs] as const);
    this.asideSinceMs = new Map(since);
    const hosts = since.filter(([, sinceMs]) => nowMs - sinceMs >= LASTS_MS).map(([host]) => host);
    const isLast = hosts.length > 0 && hosts.length === this.nodes.hosts().length;
    return hosts.map((host) =>
      trouble(
        'node_set_aside',
        host,
        inEachLanguage(({ notices }) => notices.nodeSetAside(host, isLast)),
      ),
    );
  }
}

/** One for all, again when another has come, at most once an hour: strangers decide how many there are. */
function ofSignUps({ count, newest, newestAt }: Waiting): Trouble[] {
  if (newest === null) return [];
  const text = inEachLanguage(({ notices }) => notices.signUps(count, newest));
  return [{ ...trouble('sign_up', 'waiting', text), begunAt: newestAt }];
}

/** One for all, again when another has come. */
function ofDeposits({ count, newestAt }: WaitingDeposits): Trouble[] {
  if (newestAt === null) return [];
  const text = inEachLanguage(({ notices }) => notices.depositsWait(count));
  return [{ ...trouble('deposit_waiting', 'waiting', text), begunAt: newestAt }];
}

function ofMails({ pending, oldestSeconds, givenUp, refusedDomains }: MailBacklog): Trouble[] {
  const minutes = Math.floor(oldestSeconds / 60);
  const late = inEachLanguage(({ notices }) => notices.mailsLate(pending, minutes));
  const refused = inEachLanguage(({ notices }) => notices.mailsRefused(refusedDomains));
  const lost = inEachLanguage(({ notices }) => notices.mailsGivenUp(givenUp));
  return [
    ...(oldestSeconds > MAILS_LATE_SECONDS ? [trouble('mails_late', 'waiting', late)] : []),
    ...(refusedDomains >= REFUSED_DOMAINS ? [trouble('mails_late', 'refused', refused)] : []),
    ...(givenUp > 0 ? [trouble('mails_late', 'given up', lost)] : []),
  ];
}

function trouble(kind: NoticeKind, thing: string, text: InEachLanguage): Trouble {
  return { kind, thing, text, begunAt: null, reminds: true };
}

function ofFinding(row: FindingRow): Trouble {
  const said = inEachLanguage(({ notices }, language) => {
    const { kind, subject, reason, nextStep } = textsOf(row, language);
    return notices.finding(kind, subject, reason.text, nextStep.text);
  });
  const thing = `${row.kind} ${row.subject}`;
  const begunAt = row.first_seen_at;
  const low = LOW.find((kind) => kind === row.kind);
  if (low !== undefined) return { ...trouble(low, row.subject, said), begunAt };
  // The wallet was paused for it.
  if (row.action_code === 'wallet_paused') {
    const paused = inEachLanguage(({ notices }, language) => notices.quarantine(said[language]));
    return { ...trouble('quarantine', thing, paused), begunAt };
  }
  return { ...trouble('finding', thing, said), begunAt };
}
