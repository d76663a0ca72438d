import dns from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { createServer, type Server } from 'node:net';
import type { Configuration } from '../../config/configuration';
import { Clock } from '../../src/common/clock';
import { DomainError, InvalidValueError } from '../../src/common/errors/domain.error';
import { WebhookClient } from '../../src/webhooks/delivery/webhook-client';
import { WebhookAgents } from '../../src/webhooks/webhook-agents';
import { checkWebhookUrl } from '../../src/webhooks/webhook-url';
import { WebhookReceiver } from '../support/webhook-receiver';

function clientOf(allowPrivate: boolean): WebhookClient {
  const configuration = { webhooks: { allowPrivate, secretKeys: [] } } as unknown as Configuration;
  return new WebhookClient(new WebhookAgents(configuration), new Clock(), 2_000);
}

const send = (client: WebhookClient, url: string) =>
  client.send({ url, headers: {}, body: '{}' }, new AbortController().signal);

const PRIVATE = [
  '127.0.0.1',
  '127.8.8.8',
  '10.1.2.3',
  '172.20.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[fd12::1]',
  '[::ffff:127.0.0.1]',
];
const NEVER = [
  '169.254.169.254',
  '[fe80::1]',
  '[::ffff:169.254.169.254]',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:a9fe:a9fe::1]',
  '[::ffff:0:a9fe:a9fe]',
  '[::a9fe:a9fe]',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
];

describe('the address of a webhook', () => {
  let receiver: WebhookReceiver;
  /** With a TLS receiver it is enough to know whether any client has connected. */
  let listening: Server;
  let connections = 0;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    listening = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => (connections = 0));
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => {
    receiver.close();
    listening.close();
  });
  const port = () => (listening.address() as { port: number }).port;

  it.each([...PRIVATE, ...NEVER])('%s is refused when it is given, and never connected to', async (host) => {
    expect(() => checkWebhookUrl(`https://${host}/hook`, false)).toThrow('must not point to a private');
    expect(await send(clientOf(false), `https://${host}:${port()}/`)).toMatchObject({ reason: 'not_allowed' });
    expect(connections).toBe(0);
  });

  it.each(NEVER)('%s is refused even where private ones are allowed', async (host) => {
    expect(() => checkWebhookUrl(`http://${host}/latest/meta-data`, true)).toThrow('must not point to a private');
    expect(await send(clientOf(true), `http://${host}/`)).toMatchObject({ reason: 'not_allowed' });
  });

  it.each([['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['169.254.169.254']])(
    'that a name stands for is looked at where it is connected to: %s',
    async (...addresses) => {
      jest.spyOn(Resolver.prototype, 'resolve4').mockResolvedValue(addresses);
      jest.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(new Error('none'));
      // Nothing is wrong with the name itself.
      expect(checkWebhookUrl('https://hooks.example/', false)).toBe('https://hooks.example/');
      expect(await send(clientOf(false), `https://hooks.example:${port()}/`)).toMatchObject({ reason: 'unreachable' });
      expect(connections).toBe(0);
    },
  );

  it('that a name stands for is none of the metadata ones even where private ones are allowed', async () => {
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((_: string, __: object, answer: (...given: unknown[]) => void) =>
        answer(null, [{ address: '169.254.169.254', family: 4 }])) as never);
    expect(await send(clientOf(true), 'http://metadata.internal/')).toMatchObject({ reason: 'unreachable' });
  });

  it('is one’s own, by number and by name, only where that is allowed', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await send(clientOf(true), `http://${host}:${receiver.port}/own`)).toMatchObject({ status: 204 });
      expect(await send(clientOf(false), `http://${host}:${receiver.port}/own`)).toMatchObject({ status: null });
    }
    expect(receiver.at('/own')).toHaveLength(2);
  });

  it.each([
    ['http://shop.example/', 'must begin with https://'],
    ['ftp://shop.example/', 'needs a URL'],
    ['shop.example', 'needs a URL'],
    ['https://', 'needs a URL'],
    ['https://ann:secret@shop.example/', 'a user name or a password'],
    ['https://ann@shop.example/', 'a user name or a password'],
    [`https://shop.example/${'x'.repeat(2048)}`, 'at most 2048 characters'],
    ['https://shop.example/a\tb', 'needs a URL'],
    ['https://0x7f.1/', 'must not point to a private'],
    ['http://127.0.0.1:8080/hook', 'WEBHOOK_ALLOW_PRIVATE=on'],
    ['http://shop.example/', 'WEBHOOK_ALLOW_PRIVATE=on'],
    ...[
      'localhost',
      'LocalHost.',
      'api.localhost',
      'localhost.localdomain',
      'localhost6',
      'ip6-localhost',
      'ip6-loopback',
      'intranet',
      'shop:8443',
      'printer.local',
      'shop.local.',
      'metadata.google.internal',
      'shop.home.arpa',
      'nas.lan',
      'shop.default.svc',
      'shop.service.consul',
      'shop.test',
      'TEST.',
      'shop.invalid',
      'abcdefgh.onion',
      'shop.alt',
      'shop.internal',
    ].map((host): [string, string] => [`https://${host}/`, 'must not point to a private']),
    ['https://2130706433/', 'must not point to a private'],
  ])('%s is refused', (url, reason) => {
    expect(() => checkWebhookUrl(url, false)).toThrow(reason);
  });

  it.each([
    'https://localhost.example/',
    'https://local.example/',
    'https://notlocalhost.example',
    'https://shop.latest/',
    'https://test.example/',
    'https://Shop.Example',
    'https://shop.example/hook?till=3#part',
    'https://shop.example:443/中文',
  ])('%s is kept as it was given', (url) => expect(checkWebhookUrl(` ${url}\n`, false)).toBe(url));

  it('is called without its fragment, whose path it lacks at /', async () => {
    await send(clientOf(true), `http://127.0.0.1:${receiver.port}#part`);
    expect(receiver.at('/')).toHaveLength(1);
  });

  it.each([
    'http://shop.example/',
    'https://127.0.0.1/',
    'https://10.1.2.3/',
    'https://localhost/',
    'http://shop:8080/',
  ])('%s is a wrong value nowhere: a setting would allow it', (url) => {
    expect(checkWebhookUrl(url, true)).toBe(url);
    expect(() => checkWebhookUrl(url, false)).not.toThrow(InvalidValueError);
    expect(() => checkWebhookUrl(url, false)).toThrow(DomainError);
  });
});
