/** How a notice is written for the receiver: as JSON of our own with `text`, or as the bots of these chats want it. */
export const WEBHOOK_FORMATS = ['json', 'dingtalk', 'wecom', 'feishu'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Host or path, for these chats are also reached through proxies and on hosts of one's own. */
const CHATS: readonly (readonly [WebhookFormat, RegExp, RegExp])[] = [
  ['dingtalk', /(?:^|\.)dingtalk\.com$/, /^\/robot\/send\/?$/],
  ['wecom', /^qyapi\.weixin\.qq\.com$/, /\/cgi-bin\/webhook\/send\/?$/],
  ['feishu', /(?:^|\.)(?:feishu\.cn|larksuite\.com)$/, /\/open-apis\/bot\/(?:v2\/)?hook\//],
];

/** What the address of a webhook is known for. */
export function webhookFormatOf(url: string): WebhookFormat {
  const { hostname, pathname } = new URL(url);
  return CHATS.find(([, host, path]) => host.test(hostname) || path.test(pathname))?.[0] ?? 'json';
}
