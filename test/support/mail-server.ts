import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  /** As it came, encoded parts decoded. */
  readonly text: string;
}

const USER = 'service';
const PASSWORD = 'the-password-of-the-mail-server';

/** A real mail server on loopback, which wants user and password and keeps what it is sent. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  readonly password = PASSWORD;
  /** At signing in, with whatever password. */
  attempts = 0;
  private refusal: number | null = null;
  private readonly server: SMTPServer;

  private constructor() {
    this.server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) => {
        this.attempts += 1;
        if (username === USER && password === PASSWORD) return done(null, { user: USER });
        done(new Error('wrong'));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (this.refusal !== null) {
            return done(Object.assign(new Error(`no, ${PASSWORD}`), { responseCode: this.refusal }));
          }
          const to = session.envelope.rcptTo.map(({ address }) => address);
          this.received.push({ to, text: decoded(Buffer.concat(chunks).toString('utf8')) });
          done();
        });
      },
    });
  }

  static async open(): Promise<MailServer> {
    const mail = new MailServer();
    mail.server.on('error', () => undefined);
    await once(mail.server.listen(0, '127.0.0.1'), 'listening');
    return mail;
  }

  get url(): string {
    return `smtp://${USER}:${PASSWORD}@127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** Each mail from now on, with this status; null: it takes them. */
  refuse(status: number | null): void {
    this.refusal = status;
  }

  to(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.includes(address));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}

/** Header words and the one part of the body. */
function decoded(mail: string): string {
  const [head = '', body = ''] = mail.split(/\r\n\r\n(.*)/s);
  const words = head.replaceAll(/=\?utf-8\?(q|b)\?([^?]*)\?=\s*/gi, (_, kind: string, text: string) =>
    kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : quoted(text.replaceAll('_', ' ')),
  );
  if (/content-transfer-encoding: base64/i.test(head))
    return `${words}\n\n${Buffer.from(body, 'base64').toString('utf8')}`;
  return `${words}\n\n${/quoted-printable/i.test(head) ? quoted(body) : body}`;
}

function quoted(text: string): string {
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
