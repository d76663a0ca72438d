import { join } from 'node:path';
import { checkAnswer } from './answer-recorder';
import { Child } from './child';
import { SharedCommandLine } from './shared-command-line';

const ROOT = join(__dirname, '..', '..');

export interface PrintedOrder {
  readonly url: string;
  readonly token: string;
  readonly body: string;
}

/** `npm start` on a data directory of its own, in a process of its own. */
export class ServiceProcess extends Child {
  constructor(private readonly settings: Record<string, string>) {
    super([join(ROOT, 'scripts', 'run.mjs'), 'src/main.js'], { PORT: '0', ...settings }, ROOT);
  }

  /** The order that the printed curl line would place. */
  async printedOrder(): Promise<PrintedOrder> {
    const [, url, token, body] = await this.waitFor(/^curl (\S+) -H 'Authorization: Bearer (\S+)' .* -d '(.*)'$/m);
    return { url: url!, token: token!, body: body! };
  }

  /** One process for all of its commands, until `close`. */
  commandLine(): SharedCommandLine {
    return SharedCommandLine.with(this.settings);
  }
}

export async function place({ url, token, body }: PrintedOrder) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const { status } = response;
  const text = await response.text();
  checkAnswer({
    method: 'POST',
    url: new URL(url).pathname,
    status,
    headers: Object.fromEntries(response.headers),
    text,
  });
  return { status, body: JSON.parse(text) as Record<string, unknown> };
}
