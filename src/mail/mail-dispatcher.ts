import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { ChannelError } from '../common/errors/channel-error';
import { PanelAddress } from '../common/http/panel-address';
import { Shutdown } from '../common/shutdown';
import { isLanguage } from '../languages/languages';
import { delayAfter, isGivenUp, REFUSED_FOR_GOOD_MS } from './mail-delays';
import { MailLinks } from './mail-links';
import { MailRepository } from './mail.repository';
import type { ClaimedMail } from './mail.statements';
import { isMailKind, renderMail } from './render-mail';
import { bareAddress, refusesAddress, SendMail } from './send-mail';

/** All of its sendings end within the lease, however slow their server is. */
const AT_ONCE = 10;

/**
 * Claims what is due and sends it. A claim ends by its lease, so what an instance left behind when it ended is another one's a minute later: a
 * mail whose answer was lost with the instance comes twice, under the same id, rather than never.
 */
@Injectable()
export class MailDispatcher {
  private readonly logger = new Logger(MailDispatcher.name);

  constructor(
    private readonly mails: MailRepository,
    private readonly links: MailLinks,
    private readonly sendMail: SendMail,
    private readonly address: PanelAddress,
    private readonly shutdown: Shutdown,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async sendDue(): Promise<void> {
    if (this.configuration.notices.email === null) return;
    while (!this.shutdown.signal.aborted) {
      const claimed = await this.mails.claim(AT_ONCE);
      await Promise.all(claimed.map((mail) => this.send(mail)));
      if (claimed.length < AT_ONCE) return;
    }
  }

  private async send(mail: ClaimedMail): Promise<void> {
    try {
      // Its links are void by now, or each instance that sent it has ended.
      if (isGivenUp(mail.attempts, mail.ageMs)) throw new ChannelError('ELATE');
      const sent = await this.attempt(mail);
      await this.mails.record(mail, sent ? 'sent' : 'void', null, null);
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error;
      await this.recordFailure(mail, error);
    }
  }

  private async recordFailure(mail: ClaimedMail, { code, isFinal }: ChannelError): Promise<void> {
    const { id, kind, attempts, ageMs } = mail;
    const isOver = isFinal || (refusesAddress(code, '5') && ageMs >= REFUSED_FOR_GOOD_MS) || isGivenUp(attempts, ageMs);
    const delayMs = isOver ? null : delayAfter(attempts, ageMs);
    const end = refusesAddress(code) ? 'undeliverable' : 'failed';
    this.logger.warn(
      { mail: id, kind },
      `A mail was not taken (${code})${delayMs === null ? ', and is given up' : ''}`,
    );
    await this.mails.record(mail, delayMs === null ? end : 'pending', code, delayMs);
  }

  /** False: what its link was for is over. @throws ChannelError */
  private async attempt({ id, kind, address, language, facts, linkFor }: ClaimedMail): Promise<boolean> {
    // A later version has written it: an instance of that one sends it, or this one after its update.
    if (!isMailKind(kind)) throw new ChannelError('EKIND');
    const link = await this.links.linkOf(kind, linkFor, address);
    if (link === null) return false;
    const { customers, notices } = this.configuration;
    const contact = customers.contactEmail ?? bareAddress(notices.email!.from);
    const rendered = renderMail({
      kind,
      facts,
      language: isLanguage(language) ? language : notices.language,
      siteName: customers.siteName,
      contact,
      baseUrl: this.address.baseUrl(),
      link,
    });
    await this.sendMail.send({ id, to: [address], replyTo: customers.contactEmail, ...rendered });
    return true;
  }
}
