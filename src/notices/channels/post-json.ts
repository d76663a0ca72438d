import { ChannelError } from '../../common/errors/channel-error';
import { judgeAnswer } from './judge-answer';

const ANSWER_WITHIN_MS = 15_000;
/** So much of an answer is read: its first few bytes say whether the message was taken. */
const MOST_BYTES = 64 * 1024;

interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The receiver always says in its body whether it took the message: without that word it did not. */
  readonly saysSo?: boolean;
}

/** One POST to an address of the settings; no redirect is followed. @throws ChannelError, without the address: it may be a secret */
export async function postJson(url: string, body: string, { headers, saysSo }: PostOptions = {}): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'energy-delegation-notices/1.0' },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((error: unknown) => {
    throw new ChannelError(codeOf(error));
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new ChannelError(String(response.status), retryAfterMs(response.headers.get('retry-after')));
  }
  const judgement = judgeAnswer(await readStart(response));
  if (judgement.kind === 'refused') throw new ChannelError(`${response.status}, ${judgement.code}`);
  if (saysSo && judgement.kind === 'silent') throw new ChannelError(`${response.status}, no answer of this chat`);
}

/** What comes of a body until it ends, is cut, takes too long or is more than any such answer. */
async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_BYTES) break;
    }
  } catch {
    // A status of success was there: what is missing can only have said more.
  }
  return Buffer.concat(chunks).toString();
}

function codeOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return name === 'TimeoutError' ? 'ETIMEDOUT' : (cause?.code ?? 'EFETCH');
}

/** Six hours, as the last try by itself: a receiver that says more, or no such number, says nothing. */
const LONGEST_RETRY_AFTER_S = 21_600;

function retryAfterMs(header: string | null): number {
  return header !== null && /^\d+$/.test(header) ? Math.min(Number(header), LONGEST_RETRY_AFTER_S) * 1_000 : 0;
}
