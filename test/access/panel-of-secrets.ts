import { NoticeDispatcher } from '../../src/notices/notice-dispatcher';
import { CHANNELS } from '../../src/notices/notice-kinds';
import { WatchTroubles } from '../../src/notices/watch-troubles';
import type { OrderWorld, TokenCaller } from '../support/order-world';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../support/panel-user';
import { giveSecondFactor } from '../support/second-factor';
import type { KnownSecrets } from './known-secrets';
import { idsOf, openEveryPage } from './operator-pages';
import { random, type SecretSettings } from './secret-settings';

const CODE = '/panel/sign-in/code';

export interface Scene {
  readonly world: OrderWorld;
  readonly settings: SecretSettings;
  readonly known: KnownSecrets;
  readonly caller: TokenCaller;
  /** URL of the service in a process of its own. */
  readonly url: string;
  readonly place: (token: string) => Promise<unknown>;
  readonly tell: (what: string, status: number, text: string) => void;
}

/** An operator's acts in the panel, and what it shows when they fail. */
export class PanelOfSecrets {
  private readonly client: PanelClient;
  private login: PanelUserLogin | null = null;
  private ids: Awaited<ReturnType<typeof idsOf>> | null = null;

  constructor(private readonly scene: Scene) {
    this.client = new PanelClient(scene.url);
  }

  private tell(what: string, { status, text }: { readonly status: number; readonly text: string }): void {
    this.scene.tell(`${what} ${status}`, status, text);
  }

  /** Signs in, wrongly and rightly, and makes what is shown once: a token, a webhook and an invitation. */
  async enter(): Promise<void> {
    const { world, settings, known, url } = this.scene;
    const login = await insertPanelUser(world.app, { operator: true, balance: 5 });
    this.login = login;
    known.add('a password', login.password);
    const factor = await giveSecondFactor(world.app, login);
    known.add('the secret of a second factor', factor.secret);
    for (const [at, code] of factor.recoveryCodes.entries()) known.add(`recovery code ${at}`, code);
    const wrong = random();
    known.add('a wrong password', wrong);
    await new PanelClient(url).signIn(login.email, wrong);
    const { client } = this;
    expect((await client.signIn(login.email, login.password)).location).toBe(CODE);
    for (const code of ['000000', factor.used, `${factor.recoveryCodes[0]!}x`])
      expect((await client.submit(CODE, CODE, { code })).status).toBe(401);
    expect((await client.submit(CODE, CODE, { code: factor.recoveryCodes[0]! })).status).toBe(303);
    known.add('a session', decodeURIComponent(client.cookies.get('panel_session')!).slice(2).split('.')[0]!);
    const made = await client.submit('/panel/tokens/new', '/panel/tokens/new', {
      name: 'till',
      permissions: ['balance', 'delegate'],
    });
    const token = /id="token"[^>]*>([^<]+)</.exec(made.text)![1]!;
    known.add('a new API token', token.slice(12));
    const hook = await client.submit('/panel/webhooks/new', '/panel/webhooks/new', {
      url: settings.receiver.url('/x'),
    });
    known.add('the secret of a webhook', /whsec_([\w+/=]{20,})/.exec(hook.text)![1]!);
    await this.scene.place(token);
    known.add('an invitation', await this.invite());
    for (const path of ['/panel/nothing', '/panel/tokens/nothing', '/panel/operator/users/nothing']) {
      this.tell(`GET ${path}`, await client.get(path));
    }
  }

  /** Each table takes no row, then is not there: what was to be written or read is in what PostgreSQL says. */
  async withWrongTables(): Promise<void> {
    const { client, scene } = this;
    const { world, settings, caller } = scene;
    const csrf = /name="_csrf" value="([^"]+)"/.exec((await client.get('/panel/tokens/new')).text)![1]!;
    const post =
      (path: string, fields: Record<string, string> = {}) =>
      async () =>
        this.tell(`POST ${path}`, await client.post(path, { _csrf: csrf, ...fields }));
    const signIn = async () => {
      const { email, password } = this.login!;
      this.tell('sign-in', await new PanelClient(scene.url).signIn(email, password));
    };
    const place = () => scene.place(caller.token);
    const acts: [string, () => Promise<unknown>][] = [
      ['sessions', signIn],
      ['users', signIn],
      ['recovery_codes', post('/panel/account/second-factor/recovery-codes')],
      ['api_tokens', post('/panel/tokens/new', { name: 'x', permissions: 'balance' })],
      ['audit_log', post('/panel/tokens/new', { name: 'x', permissions: 'balance' })],
      ['webhooks', post('/panel/webhooks/new', { url: settings.receiver.url('/y') })],
      ['invitations', post(`/panel/operator/users/${caller.id}/invitation`)],
      ['delegations', place],
      ['holds', place],
      ['chain_transactions', place],
    ];
    for (const [table, act] of acts) {
      await world.query(`alter table ${table} add constraint takes_none check (false) not valid`);
      await act().catch(() => undefined);
      await world.query(`alter table ${table} drop constraint takes_none`);
      await world.query(`alter table ${table} rename to not_${table}`);
      await act().catch(() => undefined);
      await world.query(`alter table not_${table} rename to ${table}`);
    }
  }

  /** All that the panel shows when nothing is wrong with the form or the address. */
  async openAll(): Promise<void> {
    const { world, caller } = this.scene;
    this.ids ??= await idsOf(world, this.login!.id, caller.id);
    for (const [name, page] of await openEveryPage(this.client, this.ids)) {
      expect([name, page.status]).toEqual([name, 200]);
      this.tell(name, page);
    }
  }

  /** A link that sets a password, made by an operator. */
  private async invite(): Promise<string> {
    const { client, scene } = this;
    const user = `/panel/operator/users/${scene.caller.id}`;
    const link = await client.submit(user, `${user}/invitation`);
    const page = link.location ? await client.get(new URL(link.location, scene.url).pathname) : link;
    return /key=([\w-]{16,})/.exec(page.text)![1]!;
  }

  /** Real ones of what was found above, and tests of each way, which is refused at first. */
  async withNotices(): Promise<void> {
    const { client } = this;
    const { world, settings } = this.scene;
    for (const areTaken of [false, true]) {
      settings.takeNotices(areTaken);
      for (const channel of ['email', 'telegram', 'webhook']) {
        const { status } = await client.submit('/panel/operator/notices', `/panel/operator/notices/${channel}/test`);
        expect(status).toBe(303);
        this.tell(`notices by ${channel}`, await client.get('/panel/operator/notices'));
      }
    }
    await world.app.app.get(WatchTroubles).look();
    for (const channel of CHANNELS) await world.app.app.get(NoticeDispatcher).sendDue(channel);
    expect(settings.mail.received.length).toBeGreaterThan(1);
  }
}
