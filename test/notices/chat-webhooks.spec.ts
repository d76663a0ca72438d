import { NoticeService } from '../../src/notices/notice.service';
import { createTestApp, type TestApp } from '../support/test-app';
import { WebhookReceiver } from '../support/webhook-receiver';

const DINGTALK = '/robot/send?access_token=secret';
const WECOM = '/cgi-bin/webhook/send?key=secret';
const FEISHU = '/open-apis/bot/v2/hook/secret';
const OWN = '/hooks/own';

describe('a notice to the webhook of a chat', () => {
  let receiver: WebhookReceiver;
  let service: TestApp;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(async () => {
    await service.close();
    receiver.close();
  });
  beforeEach(() => receiver.received.splice(0));

  /** The reason that a test notice to this path failed; null when it was taken. */
  function tell(path: string, answer: string, env: Record<string, string> = {}): Promise<string | null> {
    return test('webhook', path, answer, { NOTIFY_WEBHOOK_URL: receiver.url(path), ...env });
  }
  function tellTelegram(answer: string): Promise<string | null> {
    const env = { TELEGRAM_BOT_TOKEN: '7:bot', TELEGRAM_CHAT_ID: '-1001', TELEGRAM_API_URL: receiver.url('') };
    return test('telegram', '/bot7:bot/sendMessage', answer, env);
  }
  async function test(channel: 'webhook' | 'telegram', path: string, answer: string, env: Record<string, string>) {
    receiver.answer(path, (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(answer));
    const app = await createTestApp({ backgroundWork: false, databaseUrl: service.databaseUrl, env });
    try {
      return await app.app.get(NoticeService).test(channel);
    } finally {
      await app.close();
    }
  }
  const sent = () => JSON.parse(receiver.received.at(-1)!.text) as Record<string, unknown>;
  const said = expect.stringContaining('This is a test notice') as string;

  it.each([
    ['DingTalk', DINGTALK, {}, { msgtype: 'text', text: { content: said } }, '{"errcode":0,"errmsg":"ok"}'],
    ['WeCom', WECOM, {}, { msgtype: 'text', text: { content: said } }, '{"errcode":0,"errmsg":"ok"}'],
    ['Feishu', FEISHU, {}, { msg_type: 'text', content: { text: said } }, '{"code":0,"msg":"success","data":{}}'],
    ['an older Feishu', FEISHU, {}, { msg_type: 'text', content: { text: said } }, '{"StatusCode":0}'],
    [
      'a chat behind a proxy',
      OWN,
      { NOTIFY_WEBHOOK_FORMAT: 'dingtalk' },
      { msgtype: 'text', text: { content: said } },
      '{"errcode":0}',
    ],
  ])('has the shape that %s shows, and is taken by its word', async (_chat, path, env, body, answer) => {
    expect(await tell(path, answer, env)).toBeNull();
    expect(sent()).toEqual(body);
  });

  it.each([
    [DINGTALK, '{"errcode":310000,"errmsg":"keywords not in content"}', 'code 310000'],
    [WECOM, '{"errcode":93000,"errmsg":"invalid webhook url"}', 'code 93000'],
    [WECOM, '{"errcode":"40008"}', 'code 40008'],
    [FEISHU, '{"code":19021,"msg":"sign match fail","data":{}}', 'code 19021'],
    [FEISHU, '{"StatusCode":9499,"StatusMessage":"Bad Request"}', 'code 9499'],
    [OWN, '{"errcode":310000}', 'code 310000'],
    [OWN, '{"code":500,"msg":"failed"}', 'code 500'],
    [OWN, '{"ok":false,"error":"invalid_token"}', 'not ok'],
    [OWN, '{"error":"channel_not_found"}', 'not ok'],
    [OWN, '{"success":false}', 'not ok'],
    [OWN, '{"result":"error","msg":"Invalid stream"}', 'not ok'],
  ])('is not taken by %s when its 200 says %s', async (path, answer, code) => {
    expect(await tell(path, answer)).toBe(`200, ${code}`);
  });

  it.each([
    [DINGTALK, ''],
    [WECOM, '<html>Sign in to the network</html>'],
    [FEISHU, '{"errcode'],
    [FEISHU, '{}'],
  ])('is not taken by %s when its 200 says nothing that this chat says: %j', async (path, answer) => {
    expect(await tell(path, answer)).toBe('200, no answer of this chat');
  });

  it.each(['', '{}', '<html>Sign in to the network</html>', '{"ok'])(
    'is not taken by Telegram when its 200 says nothing that Telegram says: %j',
    async (answer) => {
      expect(await tellTelegram('{"ok":true,"result":{"message_id":7}}')).toBeNull();
      expect(await tellTelegram(answer)).toBe('200, no answer of this chat');
    },
  );

  it.each([
    '{"code":"InvalidToken"}',
    '{"error_code":"E1"}',
    '{"success":"false"}',
    '{"success":"no"}',
    '{"ok":"False"}',
    '{"meta":{"code":500}}',
    '{"meta":{"code":200},"errors":[{"message":"no"}]}',
    '{"ok":0}',
    '{"success":0}',
    '{"result":false}',
    '{"status":500}',
    '{"ret":-1}',
    '{"errno":5}',
    '{"errors":[{"message":"no"}]}',
    '{"data":{"errcode":1}}',
    '\ufeff{"errcode":310000}',
    'no_text',
    'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
  ])('is not taken by a receiver that refuses it in other words: %s', async (answer) => {
    expect(await tell(OWN, answer)).toMatch(/^200, (?:code|not ok)/);
  });

  it.each([
    '',
    'ok',
    '1',
    '{}',
    '{"code":200,"msg":"ok"}',
    '{"ok":true,"error":null}',
    '[]',
    '{"status":"ok"}',
    '{"status":"ok","error":"none"}',
    '{"errors":[]}',
    '{"code":"ok"}',
    '{"success":"yes"}',
    '{"meta":{"code":200}}',
    '{"status":200}',
  ])('is taken by a receiver of its own kind that answers 200 and %j', async (answer) => {
    expect(await tell(OWN, answer)).toBeNull();
    expect(sent()).toMatchObject({ type: 'notice', text: said });
  });

  it('is taken by a receiver that never ends its answer, once enough of it has come', async () => {
    receiver.answer(OWN, (response) => void response.writeHead(200).write(' '.repeat(200_000)));
    const env = { NOTIFY_WEBHOOK_URL: receiver.url(OWN) };
    const app = await createTestApp({ backgroundWork: false, databaseUrl: service.databaseUrl, env });
    expect(await app.app.get(NoticeService).test('webhook')).toBeNull();
    await app.close();
  });
});
