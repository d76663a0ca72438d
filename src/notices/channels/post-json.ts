import { ChannelError } from './channel-error';

const ANSWER_WITHIN_MS = 15_000;

/** One POST to an address of the settings; no redirect is followed. @throws ChannelError, without the address: it may be a secret */
export async function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'energy-delegation-notices/1.0' },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((error: unknown) => {
    throw new ChannelError(codeOf(error));
  });
  await response.body?.cancel();
  if (!response.ok) throw new ChannelError(String(response.status), retryAfterMs(response.headers.get('retry-after')));
}

function codeOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return name === 'TimeoutError' ? 'ETIMEDOUT' : (cause?.code ?? 'EFETCH');
}

function retryAfterMs(header: string | null): number {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : 0;
}
