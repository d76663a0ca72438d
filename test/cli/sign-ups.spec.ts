import { MailWorld } from '../mail/mail-world';
import { insertUser } from '../support/factories';
import { SharedCommandLine } from '../support/shared-command-line';

describe('the commands about those who have signed up', () => {
  let world: MailWorld;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    world = await MailWorld.open({ SIGN_UP: 'approval' });
    cli = SharedCommandLine.on(world.service.databaseUrl, { ...world.env, TRON_FULL_NODE_URLS: 'http://127.0.0.1:1' });
  });
  afterAll(async () => {
    await cli?.close();
    await world?.close();
  });
  beforeEach(() => world.clear());

  const wait = (email: string) =>
    world.run(`insert into sign_ups (id, email, name, password_hash, language, network, confirmed_at)
      values (gen_random_uuid(), '${email}', 'Zoe', 'x', 'zh', '203.0.113.7', now())`);
  const waiting = () => cli.json<{ email: string }[]>('user:list', '--waiting');

  it('list them, open an account for one, and say so by mail', async () => {
    await wait('zoe@shop.example');
    const fields = { name: 'Zoe', operator: false, unit_price: null, rate_limit: null, disabled: false };
    expect(await waiting()).toEqual([
      expect.objectContaining({ ...fields, email: 'zoe@shop.example', language: 'zh', network: '203.0.113.7' }),
    ]);
    expect((await cli.run('user:list', '--waiting')).stdout).toContain('zoe@shop.example');
    expect(await cli.json('user:approve', 'Zoe@shop.example')).toMatchObject({ ...fields, email: 'zoe@shop.example' });
    expect(await waiting()).toEqual([]);
    expect(await cli.json<{ email: string }[]>('user:list')).toMatchObject([{ email: 'zoe@shop.example' }]);
    await world.send();
    expect(world.mail.to('zoe@shop.example')[0]!.head).toContain('欢迎使用 Blitz & Co');
    const again = await cli.run('user:approve', 'zoe@shop.example');
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      expect.stringContaining('no sign-up of zoe@shop.example is waiting'),
    ]);
  });

  it('refuse one with a note, which they need', async () => {
    await wait('max@shop.example');
    expect((await cli.run('user:refuse', 'max@shop.example')).exitCode).toBe(2);
    expect((await cli.run('user:refuse', 'max@shop.example', '--note', ' ')).exitCode).toBe(2);
    const note = ['--note', 'exchanges only'];
    expect(await cli.json('user:refuse', 'max@shop.example', ...note)).toMatchObject({ email: 'max@shop.example' });
    expect(await waiting()).toEqual([]);
    await world.send();
    expect(world.mail.to('max@shop.example')[0]!.text).toContain('原因：exchanges only');
  });

  it('give a user another address at once, and tell the old one', async () => {
    await insertUser(world.service.orm, { email: 'ann@example.com' });
    const to = ['--to', 'Ann@New.example'];
    expect(await cli.json('user:change-email', 'ann@example.com', ...to)).toMatchObject({ email: 'ann@new.example' });
    await world.send();
    expect(world.mail.to('ann@example.com')[0]!.text).toContain('ann@new.example');
    const gone = await cli.run('user:change-email', 'ann@example.com', ...to);
    expect([gone.exitCode, gone.stderr]).toEqual([1, expect.stringContaining('unknown user ann@example.com')]);
    await insertUser(world.service.orm, { email: 'ben@example.com' });
    const taken = await cli.run('user:change-email', 'ben@example.com', ...to);
    expect([taken.exitCode, taken.stderr]).toEqual([1, expect.stringContaining('already a user')]);
  });

  it('print an invitation as before, and mail one too', async () => {
    await insertUser(world.service.orm, { email: 'eve@example.com' });
    const { stdout, stderr } = await cli.run('user:invite', 'eve@example.com');
    expect(stdout).toMatch(/^https:\/\/energy\.example\/panel\/invitation\?key=[\w-]{43}\n$/);
    expect(stderr).toBe('The service also mails a link to eve@example.com.\n');
    await world.send();
    expect(world.mail.linkTo('eve@example.com')).toMatch(/\/panel\/invitation\?key=[\w-]{43}$/);
  });
});
