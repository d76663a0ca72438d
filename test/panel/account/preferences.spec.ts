import { inZone, TIME_ZONES } from '../../../src/panel/layout/time-zone';
import { UserPreferencesRepository } from '../../../src/users/user-preferences.repository';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

/** `Intl` takes each of these, and used to keep a format for every one. */
const ODD_CAPITALS = ['EUROPE/berlin', 'europe/Berlin', 'utc', '+01:00'];

let service: TestApp;
beforeAll(async () => {
  service = await createTestApp({ backgroundWork: false });
});
afterAll(() => service.close());

describe("a user's time zone", () => {
  it('is one of the list, to the letter: no other spelling is saved', async () => {
    const user = await insertPanelUser(service);
    const client = new PanelClient(service.url);
    await client.signIn(user.email, user.password);
    const save = (zone: string) =>
      client.submit('/panel/account', '/panel/account/preferences', { time_zone: zone, language: '' });
    const saved = async () =>
      (
        await service.sql.rows<unknown[], { zone: string | null }>(
          { name: '', text: 'select time_zone as zone from users where id = $1' },
          [user.id],
        )
      )[0]!.zone;
    expect((await save('Europe/Berlin')).status).toBe(303);
    for (const zone of ODD_CAPITALS) expect((await save(zone)).status).toBe(400);
    expect(await saved()).toBe('Europe/Berlin');
  });

  it("decides over the days of a range; without one, the browser's does, once its script has written it down", async () => {
    const user = await insertPanelUser(service);
    const client = new PanelClient(service.url);
    await client.signIn(user.email, user.password);
    const save = (timeZone: string | null) =>
      service.app.get(UserPreferencesRepository).save(user.id, { timeZone, language: null });
    const zoneOfFields = async () => /From \(([^)]*)\)/.exec((await client.get('/panel/orders')).text)![1];
    expect(await zoneOfFields()).toBe('UTC');
    for (const zone of ['Asia/Kolkata', 'Asia/Calcutta', 'Pacific/Kiritimati', 'America/New_York']) {
      client.cookies.set('panel_zone', encodeURIComponent(zone));
      expect(await zoneOfFields()).toBe(zone);
    }
    for (const zone of [...ODD_CAPITALS, '', '%', 'Not/AZone', 'x'.repeat(1_000)]) {
      client.cookies.set('panel_zone', zone);
      expect([zone, await zoneOfFields()]).toEqual([zone, 'UTC']);
    }
    client.cookies.set('panel_zone', 'Asia%2FKolkata');
    await save('Asia/Tokyo');
    expect(await zoneOfFields()).toBe('Asia/Tokyo');
    await save(null);
    // The page that changes it shows what the user has set, not what the browser has.
    const account = (await client.get('/panel/account')).text;
    expect(account).toContain('name="time_zone"><option value selected>');
    expect(account).not.toContain('data-zone');
  });

  it('makes one format for each member of the list, and none for another spelling that a row still has', async () => {
    const user = await insertPanelUser(service);
    const made = jest.spyOn(Intl, 'DateTimeFormat');
    try {
      for (const zone of ODD_CAPITALS) {
        await service.app.get(UserPreferencesRepository).save(user.id, { timeZone: zone, language: null });
        expect(inZone(new Date(0), zone)).toBeNull();
      }
      expect(made).not.toHaveBeenCalled();
    } finally {
      made.mockRestore();
    }
    expect(TIME_ZONES.filter((zone) => inZone(new Date(0), zone) === null)).toEqual([]);
  });
});

describe("a user's language", () => {
  it("is the browser's where a newer version has saved one that this version lacks", async () => {
    const user = await insertPanelUser(service);
    const client = new PanelClient(service.url, { 'Accept-Language': 'zh-CN' });
    await client.signIn(user.email, user.password);
    const tag = async () => /<html[^>]* lang="([^"]*)"/.exec((await client.get('/panel/account')).text)![1];
    const save = (language: string) =>
      service.app.get(UserPreferencesRepository).save(user.id, { timeZone: null, language });
    await save('en');
    expect(await tag()).toBe('en');
    await save('xx');
    expect(await tag()).toBe('zh-Hans');
  });
});
