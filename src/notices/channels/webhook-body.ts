import type { WebhookFormat } from '../../../config/webhook-format';

/** WeCom refuses longer texts as a whole. */
const MOST_BYTES_OF_WECOM = 2_048;

/** What a chat's bot wants: none of these shows a `text` at the top. */
export function chatBody(format: Exclude<WebhookFormat, 'json'>, text: string): object {
  if (format === 'feishu') return { msg_type: 'text', content: { text } };
  const content = format === 'wecom' ? firstBytes(text, MOST_BYTES_OF_WECOM) : text;
  return { msgtype: 'text', text: { content } };
}

/** Never half a character. */
function firstBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}
