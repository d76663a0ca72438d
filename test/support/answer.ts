import { checkAnswer } from './answer-recorder';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** Checked here too, for the answers of processes of their own. */
export async function readAnswer(method: string, response: Response): Promise<Answer> {
  const text = await response.text();
  const { pathname, search } = new URL(response.url);
  const headers = Object.fromEntries(response.headers);
  checkAnswer({ method, url: pathname + search, status: response.status, headers, text });
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: JSON.parse(text) as Record<string, unknown>,
  };
}
