import { Injectable } from '@nestjs/common';
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

/** What became of mails to users; every instance gives the same. */
@Injectable()
export class MailMetrics {
  constructor(
    registry: MetricsRegistry,
    private readonly mails: MailRepository,
  ) {
    registerGauges<Name>(registry, GAUGES, () => this.read(), FRESH_MS);
  }

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
