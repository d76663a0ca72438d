import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { isLoopbackHost } from '../../config/loopback';
import { ChannelError } from '../common/errors/channel-error';

const CONNECT_MS = 8_000;
const SILENCE_MS = 12_000;
/** All of it: a server that says a little now and then is never silent. With room to write down what came of it within the lease. */
const TAKEN_WITHIN_MS = 45_000;

/** The code of RFC 3463 that follows the status, in the first line of an answer. */
const ENHANCED = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;
/** Such an answer is about the one address. A 550 alone is also what a relay says to every address that it may not, or will not, send to. */
const BAD_ADDRESS = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'];

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
      throw refusalOf(error as Refusal);
    }
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

interface Refusal {
  readonly responseCode?: number;
  readonly response?: string;
  readonly code?: string;
  readonly command?: string;
}

/** `RCPT 550 5.1.1`: the answer to the address; `SMTP 451`: to anything else. */
function refusalOf({ responseCode, response = '', code, command }: Refusal): ChannelError {
  if (!responseCode) return new ChannelError(code ?? 'ESMTP');
  const isOfAddress = command === 'RCPT TO';
  const enhanced = ENHANCED.exec(response)?.[1];
  const said = [isOfAddress ? 'RCPT' : 'SMTP', responseCode, enhanced].filter(Boolean).join(' ');
  return new ChannelError(said, 0, isOfAddress && BAD_ADDRESS.includes(enhanced ?? ''));
}

/** Whether an error is the server's answer to the address; `5`: one that it calls final. */
export function refusesAddress(code: string, status = ''): boolean {
  return code.startsWith(`RCPT ${status}`);
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
