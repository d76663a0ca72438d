import { randomBytes } from 'node:crypto';
import { DiagnoseSecrets } from '../../src/webhooks/diagnose-secrets';
import { EventOutbox } from '../../src/webhooks/event-outbox';
import { SecretCipher } from '../../src/common/secret-cipher';
import { secretText } from '../../src/webhooks/signature';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { CommandLine } from '../support/command-line';
import { insertUser } from '../support/factories';
import { createTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';

const key = () => randomBytes(32).toString('base64');
const cipherOf = (...secretKeys: string[]) => new SecretCipher({ secretKeys });
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const OTHER_ID = '01890a5d-ac96-774b-bcce-b302099a8058';

describe('the secret of a webhook', () => {
  it('is opened by the key that sealed it, whichever place it has, for its own webhook alone', () => {
    const [old, young] = [key(), key()];
    const secret = randomBytes(32);
    const sealed = cipherOf(old).seal(ID, secret);
    expect(sealed).not.toContain(secret.toString('base64'));
    expect(cipherOf(young, old).open(ID, sealed)).toEqual(secret);
    expect(cipherOf(young, old).seal(ID, secret).split('.')[1]).toBe(cipherOf(young).seal(ID, secret).split('.')[1]);
    expect(() => cipherOf(young).open(ID, sealed)).toThrow('SECRET_KEYS lacks the key');
    expect(() => cipherOf(old).open(OTHER_ID, sealed)).toThrow('unable to authenticate');
  });

  it('that was kept without a key is still opened once there is one', () => {
    const secret = randomBytes(32);
    expect(cipherOf(key()).open(ID, cipherOf().seal(ID, secret))).toEqual(secret);
  });

  it('stands in no row as it is where a key is set, and is in no list', async () => {
    const service = await createTestApp({ backgroundWork: false, env: { SECRET_KEYS: key() } });
    const webhooks = service.app.get(WebhookService);
    const userId = await insertUser(service.orm);
    const { webhook, secret } = await webhooks.create({ userId, url: 'https://shop.example/' });
    const rotated = await webhooks.rotate(webhook.id);
    const text = `select row_to_json(w)::text as row from webhooks w`;
    const rows = await service.sql.rows<readonly unknown[], { row: string }>({ name: 'all_webhooks', text }, []);
    const shown = JSON.stringify([rows, await webhooks.list(userId), await webhooks.get(webhook.id)]);
    for (const one of [secret, rotated]) expect(shown).not.toContain(one.slice('whsec_'.length));
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secretText(Buffer.alloc(32))).toMatch(/^whsec_A{43}=$/);
    await service.close();
  });

  it('is rotated again as soon as one of the five before it signs no more, swept or not', async () => {
    const service = await createTestApp({ backgroundWork: false });
    const webhooks = service.app.get(WebhookService);
    const userId = await insertUser(service.orm);
    const { id } = (await webhooks.create({ userId, url: 'https://shop.example/' })).webhook;
    const tooOften = () => expect(webhooks.rotate(id)).rejects.toMatchObject({ code: 'webhook.rotated-too-often' });
    for (let times = 0; times < 5; times++) await webhooks.rotate(id);
    await tooOften();
    const text = `update webhooks set previous_secrets = jsonb_set(previous_secrets, '{0,until}', to_jsonb(now()))`;
    await service.sql.execute({ name: 'first_ends', text });
    await webhooks.rotate(id);
    await tooOften();
    await service.close();
  });

  it('that is kept without a key, or with one that is not set, is what doctor finds', async () => {
    const [old, young] = [key(), key()];
    const plain = await createTestApp({ backgroundWork: false });
    const userId = await insertUser(plain.orm);
    const { webhook } = await plain.app.get(WebhookService).create({ userId, url: 'https://shop.example/' });
    const kinds = async ({ app }: TestApp) => (await app.get(DiagnoseSecrets).run()).map(({ kind }) => kind);
    const withKeys = (keys: string) =>
      createTestApp({ backgroundWork: false, databaseUrl: plain.databaseUrl, env: { SECRET_KEYS: keys } });
    const [first, second, both] = await Promise.all([withKeys(old), withKeys(young), withKeys(`${young},${old}`)]);

    expect(await kinds(plain)).toEqual(['webhook_secrets_unencrypted']);
    expect(await kinds(first)).toEqual(['webhook_secrets_unencrypted']);
    await first.app.get(WebhookService).rotate(webhook.id);
    expect(await kinds(first)).toEqual([]);
    for (const lacking of [plain, second]) expect(await kinds(lacking)).toEqual(['webhook_secret_key_missing']);
    expect(await kinds(both)).toEqual([]);
    const { stdout, exitCode } = await CommandLine.on(plain.databaseUrl).run('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: { kind: string }[] };
    expect([exitCode, findings.map(({ kind }) => kind)]).toEqual([
      1,
      expect.arrayContaining(['webhook_secret_key_missing']),
    ]);
    for (const app of [first, second, both, plain]) await app.close();
  });

  it('whose key is missing holds its deliveries back, without an attempt, until the key is there again', async () => {
    const receiver = await WebhookReceiver.open();
    const env = { WEBHOOK_ALLOW_PRIVATE: 'on', SECRET_KEYS: key() };
    const first = await createTestApp({ backgroundWork: false, env });
    const userId = await insertUser(first.orm);
    const { webhook } = await first.app.get(WebhookService).create({ userId, url: receiver.url('/key') });
    const event = { userId, event: 'webhook.test', timestamp: new Date().toISOString(), data: {} } as const;
    await first.sql.transaction((tx) => first.app.get(EventOutbox).write(tx, [event]));
    const without = await createTestApp({ databaseUrl: first.databaseUrl, env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
    const read = async () => {
      const text = 'select attempts, epoch, claimed_until from webhook_deliveries where webhook_id = $1';
      return (
        await first.sql.rows<readonly unknown[], Record<string, unknown>>({ name: 'read_key', text }, [webhook.id])
      )[0]!;
    };
    await until(
      'given back',
      async () => Number((await read())['epoch']) > 0 && (await read())['claimed_until'] === null,
    );
    expect(await read()).toMatchObject({ attempts: 0 });
    expect(receiver.received).toEqual([]);
    await without.close();
    const again = await createTestApp({ databaseUrl: first.databaseUrl, env });
    await first.sql.rows({ name: 'make_due', text: 'update webhook_deliveries set next_at = now() returning id' });
    await until('delivered', async () => receiver.at('/key').length === 1);
    await again.close();
    await first.close();
    receiver.close();
  });
});
