import { Secret, TOTP } from 'otpauth';
import { createHmac } from 'node:crypto';
import { InvitationService } from '../../../src/auth/invitations/invitation.service';
import { freezeDate } from '../../support/frozen-date';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { giveSecondFactor } from '../../support/second-factor';
import { createTestApp, type TestApp } from '../../support/test-app';

const CODE = '/panel/sign-in/code';
const OPERATORS_PAGE = '/panel/operator/users';

/** Every value of every row, also those within JSON; of bytes, all that they may stand for. */
async function valuesIn({ sql }: TestApp): Promise<string[]> {
  const rows = <Row>(text: string) => sql.rows<Row>({ name: '', text });
  const tables = await rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (value !== null && typeof value === 'object') return Object.values(value).forEach(collect);
    const text = String(value);
    found.add(text);
    if (!text.startsWith(String.raw`\x`)) return;
    const bytes = Buffer.from(text.slice(2), 'hex');
    for (const encoding of ['utf8', 'hex', 'base64', 'base64url'] as const) found.add(bytes.toString(encoding));
  };
  for (const { name } of tables) {
    const held = await rows<{ row: string }>(`select row_to_json(r)::text as row from "${name}" r`);
    for (const { row } of held) collect(JSON.parse(row));
  }
  // Shorter ones could be guessed without a copy.
  return [...found].filter(({ length }) => length >= 16);
}

describe('a copy of the database', () => {
  const date = freezeDate();
  let service: TestApp;
  let operator: PanelUserLogin;
  let halfSignedIn: PanelClient;
  let signedIn: PanelClient;
  let link: string;

  beforeAll(async () => {
    // Without SECRET_KEYS: the secret of the second factor is in the copy too.
    service = await createTestApp({ backgroundWork: false });
    operator = await insertPanelUser(service, { operator: true });
    await giveSecondFactor(service, operator);
    date.advance(60_000);
    const user = await insertPanelUser(service);
    [halfSignedIn, signedIn] = [new PanelClient(service.url), new PanelClient(service.url)];
    expect((await halfSignedIn.signIn(operator.email, operator.password)).location).toBe(CODE);
    expect((await signedIn.signIn(user.email, user.password)).location).toBe('/panel');
    link = new URL((await service.app.get(InvitationService).invite(user.email)).url).searchParams.get('key')!;
  });
  afterAll(() => service.close());

  const row = async <Row>(text: string) => (await service.sql.rows<Row>({ name: '', text }))[0]!;
  const secretOfCookies = async () => (await row<{ secret: string }>('select secret from session_secret')).secret;
  const withCookies = (cookies: Record<string, string>) => {
    const client = new PanelClient(service.url);
    for (const [name, value] of Object.entries(cookies)) client.cookies.set(name, encodeURIComponent(value));
    return client;
  };
  /** As express-session signs the id of a session. */
  const signed = (id: string, secret: string) =>
    `s:${id}.${createHmac('sha256', secret).update(id).digest('base64').replace(/=+$/, '')}`;
  const invitation = (key: string) =>
    new PanelClient(service.url).get(`/panel/invitation?key=${encodeURIComponent(key)}`);

  it('holds nothing that signs in, asks for a code or sets a password, signed with what it holds or as it is', async () => {
    const secret = await secretOfCookies();
    const values = await valuesIn(service);
    // What browsers and links have would be noticed.
    const [step, session] = [
      halfSignedIn.cookies.get('panel_step')!,
      decodeURIComponent(signedIn.cookies.get('panel_session')!),
    ];
    expect((await withCookies({ panel_step: step }).get(CODE)).status).toBe(200);
    expect(signed(session.slice(2).split('.')[0]!, secret)).toBe(session);
    expect((await withCookies({ panel_session: session }).get(CODE)).location).toBe('/panel');
    expect((await invitation(link)).status).toBe(200);
    expect(values).toEqual(expect.arrayContaining([secret, operator.email, operator.id]));

    for (const value of values) {
      const client = withCookies({ panel_step: value, panel_session: signed(value, secret) });
      const { status, location } = await client.get(CODE);
      const { status: ofLink } = await invitation(value);
      expect([value, status, location, ofLink]).toEqual([value, 303, '/panel/sign-in', 404]);
    }
  });

  it('is not enough with a step that carries its own content, signed with the copied secret, and a code of the secret that it holds', async () => {
    const { id, epoch, kept } = await row<{ id: string; epoch: number; kept: string }>(
      `select u.id, u.session_epoch as epoch, f.secret as kept from users u join second_factors f on f.user_id = u.id`,
    );
    expect(kept).toMatch(/^plain\./);
    const expiresAtMs = Date.now() + 240_000;
    const content = { userId: id, email: operator.email, sessionEpoch: epoch, by: 'password', expiresAtMs };
    const text = Buffer.from(JSON.stringify(content)).toString('base64url');
    const signature = createHmac('sha256', await secretOfCookies()).update(`pending sign-in ${text}`);
    const thief = withCookies({ panel_step: `${text}.${signature.digest('base64url')}` });
    expect((await thief.get(CODE)).location).toBe('/panel/sign-in');
    const secret = new Secret({ buffer: new Uint8Array(Buffer.from(kept.slice(6), 'base64')).buffer });
    const code = new TOTP({ secret }).generate({ timestamp: Date.now() });
    expect((await thief.submit('/panel/sign-in', CODE, { code })).status).toBe(401);
    expect((await thief.get(OPERATORS_PAGE)).location).toContain('/panel/sign-in');
    // It is a code that somebody with the password is let in with.
    expect((await halfSignedIn.submit(CODE, CODE, { code })).status).toBe(303);
    expect((await halfSignedIn.get(OPERATORS_PAGE)).status).toBe(200);
  });
});
