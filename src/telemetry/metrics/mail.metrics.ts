import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Counter } from 'prom-client';
import { type DroppedMail, droppedMails } from '../../common/telemetry-channels';
import { MailRepository } from '../../mail/mail.repository';
import { registerGauges, type Sample } from './gauge.table';
import { MetricsRegistry } from './metrics.registry';

const FRESH_MS = 10_000;

const GAUGES = [
  { name: 'energy_mails_pending', help: 'Mails to users that the mail server has not accepted yet.' },
  {
    name: 'energy_mail_oldest_seconds',
    help: 'How long the oldest mail that the mail server has not accepted has waited, without those whose address it refuses.',
  },
  {
    name: 'energy_mails_given_up',
    help: 'Mails that were given up in the last day, by reason: no_success in a day of attempts, or a refused_address.',
    labels: ['reason'],
  },
  {
    name: 'energy_mail_refused_domains',
    help: 'Domains of the last day whose addresses the mail server has refused since it last accepted a mail.',
  },
] as const;
type Name = (typeof GAUGES)[number]['name'];

/** What became of mails to users; of the gauges every instance gives the same, and what it has dropped itself. */
@Injectable()
export class MailMetrics implements OnModuleDestroy {
  private readonly dropped: Counter<'reason'>;

  constructor(
    registry: MetricsRegistry,
    private readonly mails: MailRepository,
  ) {
    this.dropped = new Counter({
      name: 'energy_mails_dropped_total',
      help: 'Mails that were not written, by reason: network, mailbox or total (their limit of the hour), busy (too many forms wait), changes (too many mails on changes of one kind went to a user).',
      labelNames: ['reason'],
      registers: [registry],
    });
    registerGauges<Name>(registry, GAUGES, () => this.read(), FRESH_MS);
  }

  start(): void {
    droppedMails.subscribe(this.count);
  }

  onModuleDestroy(): void {
    droppedMails.unsubscribe(this.count);
  }

  private readonly count = (message: unknown): void => {
    this.dropped.inc({ reason: (message as DroppedMail).reason });
  };

  private async read(): Promise<Map<Name, Sample[]>> {
    const { pending, oldestSeconds, givenUp, refusedAddresses, refusedDomains } = await this.mails.backlog();
    return new Map<Name, Sample[]>([
      ['energy_mails_pending', [{ value: pending }]],
      ['energy_mail_oldest_seconds', [{ value: oldestSeconds }]],
      ['energy_mail_refused_domains', [{ value: refusedDomains }]],
      [
        'energy_mails_given_up',
        [
          { value: givenUp, labels: { reason: 'no_success' } },
          { value: refusedAddresses, labels: { reason: 'refused_address' } },
        ],
      ],
    ]);
  }
}
