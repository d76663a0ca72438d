import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { isLoopbackHost } from '../../config/loopback';
import { ChannelError } from '../common/errors/channel-error';

const CONNECT_MS = 8_000;
const SILENCE_MS = 12_000;
/** All of it: a server that says a little now and then is never silent. With room to write down what came of it within the lease. */
const TAKEN_WITHIN_MS = 45_000;

/** The server has refused the one address for good: it takes none of its mails in an hour either. */
const UNKNOWN_THERE = [550, 551, 553, 556];

export interface Mail {
  readonly id: string;
  readonly to: readonly string[];
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** Mail over the server of the settings. */
@Injectable()
export class SendMail implements OnApplicationShutdown {
  private transport: Transporter | null = null;

  constructor(@Inject(CONFIGURATION) private readonly configuration: Configuration) {}

  /** @throws ChannelError */
  async send({ id, to, replyTo, subject, text, html }: Mail): Promise<void> {
    const { email } = this.configuration.notices;
    if (!email) throw new ChannelError('ENOTSETUP');
    this.transport ??= createTransport({
      url: email.smtpUrl,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      dnsTimeout: CONNECT_MS,
      requireTLS: needsTls(email),
      // A relay of this machine offers TLS with a certificate that it has made itself; what goes there leaves no cable.
      tls: isLoopbackHost(new URL(email.smtpUrl).hostname) ? { rejectUnauthorized: false } : undefined,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const signal = AbortSignal.timeout(TAKEN_WITHIN_MS);
    try {
      await this.transport.sendMail({
        from: email.from,
        // Not as text, which would be read for names and further addresses.
        to: to.map((address) => ({ name: '', address })),
        replyTo: replyTo === undefined ? undefined : { name: '', address: replyTo },
        subject,
        text,
        html,
        // A server that was sent the same twice, for its answer was lost, can tell.
        messageId: `<${id}@${bareAddress(email.from).replace(/^.*@/, '')}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      });
    } catch (error) {
      if (signal.aborted) throw new ChannelError('ETIMEDOUT');
      const { responseCode, code, command } = error as { responseCode?: number; code?: string; command?: string };
      const isFinal = command === 'RCPT TO' && UNKNOWN_THERE.includes(responseCode ?? 0);
      throw new ChannelError(responseCode ? `SMTP ${responseCode}` : (code ?? 'ESMTP'), 0, isFinal);
    }
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

/** Without the name: `energy@example.com` of `Energy <energy@example.com>`. */
export function bareAddress(from: string): string {
  return from.replace(/^.*<|>$/g, '');
}

/** A server that offers no TLS gets no password: a machine on the way may have taken the offer out of its answer. */
function needsTls({ smtpUrl, allowPlain }: { smtpUrl: string; allowPlain?: true }): boolean {
  const { hostname, password } = new URL(smtpUrl);
  return password !== '' && !allowPlain && !isLoopbackHost(hostname);
}
