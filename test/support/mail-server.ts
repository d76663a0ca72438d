import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  /** The header as it came, with its encoded words decoded. */
  readonly head: string;
  /** Header and body, encoded parts decoded; of a mail with HTML both bodies. */
  readonly text: string;
}

/** For `refuseAddress`. */
export const EVERY_ADDRESS = '*';

const USER = 'service';
const PASSWORD = 'the-password-of-the-mail-server';

/** A real mail server on loopback, which wants user and password and keeps what it is sent. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  readonly password = PASSWORD;
  /** At signing in, with whatever password. */
  attempts = 0;
  /** Mails that wait for `release`. */
  waiting = 0;
  private refusal: number | null = null;
  private readonly refused = new Map<string, { readonly responseCode: number; readonly said: string }>();
  private held: PromiseWithResolvers<void> | null = null;
  private readonly server: SMTPServer;

  private constructor(offersTls: boolean) {
    this.server = new SMTPServer({
      disabledCommands: offersTls ? [] : ['STARTTLS'],
      allowInsecureAuth: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) => {
        this.attempts += 1;
        if (username === USER && password === PASSWORD) return done(null, { user: USER });
        done(new Error('wrong'));
      },
      onRcptTo: ({ address }, _session, done) => {
        const refused = this.refused.get(address) ?? this.refused.get(EVERY_ADDRESS);
        done(refused ? Object.assign(new Error(refused.said), refused) : null);
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (this.refusal !== null) {
            return done(Object.assign(new Error(`no, ${PASSWORD}`), { responseCode: this.refusal }));
          }
          const to = session.envelope.rcptTo.map(({ address }) => address);
          const mail = { to, ...decoded(Buffer.concat(chunks).toString('utf8')) };
          void this.take(mail, done);
        });
      },
    });
  }

  /** With TLS it has a certificate that no authority has signed. */
  static async open({ offersTls = false } = {}): Promise<MailServer> {
    const mail = new MailServer(offersTls);
    mail.server.on('error', () => undefined);
    await once(mail.server.listen(0, '127.0.0.1'), 'listening');
    return mail;
  }

  get url(): string {
    return this.urlAs('127.0.0.1');
  }

  /** By another name for it. */
  urlAs(host: string): string {
    return `smtp://${USER}:${PASSWORD}@${host}:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** Each mail from now on, with this status; null: it takes them. */
  refuse(status: number | null): void {
    this.refusal = status;
  }

  /** Mails to this address from now on, with this status and these words; null: it takes them. */
  refuseAddress(address: string, status: number | null, said = 'no such mailbox'): void {
    if (status === null) this.refused.delete(address);
    else this.refused.set(address, { responseCode: status, said });
  }

  /** It answers no mail before `release`. */
  hold(): void {
    this.held = Promise.withResolvers();
  }

  release(): void {
    this.held?.resolve();
    this.held = null;
  }

  to(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.includes(address));
  }

  /** Where the link of the newest mail to this address leads. */
  linkTo(address: string): string | null {
    const link = /https?:\/\/[^\s"<]+\/panel\/[^\s"<]*/.exec(this.to(address).at(-1)?.text ?? '');
    return link ? link[0] : null;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }

  private async take(mail: ReceivedMail, answer: () => void): Promise<void> {
    this.waiting += 1;
    await this.held?.promise;
    this.waiting -= 1;
    this.received.push(mail);
    answer();
  }
}

function decoded(mail: string): Pick<ReceivedMail, 'head' | 'text'> {
  const [head = '', body = ''] = mail.split(/\r\n\r\n(.*)/s);
  const words = head
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?(q|b)\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : quoted(text.replaceAll('_', ' ')),
    );
  return { head: words, text: `${words}\n\n${bodyOf(head, body)}` };
}

function bodyOf(head: string, body: string): string {
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1];
  if (boundary !== undefined) {
    const parts = body.split(`--${boundary}`).slice(1, -1);
    return parts.map((part) => decoded(part.replace(/^\r\n/, '')).text).join('\n\n');
  }
  if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  return /quoted-printable/i.test(head) ? quoted(body) : body;
}

function quoted(text: string): string {
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
