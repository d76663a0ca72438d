import { isCommonPassword, ownWordsOf } from '../../../src/auth/passwords/common-password';

describe('a password that is guessed first', () => {
  it.each([
    'password1234',
    '123456789012',
    'passwordpassword',
    'qwertyuiop12',
    'Password123!',
    'aaaaaaaaaaaaaaaa',
    'iloveyou1234',
  ])('is refused: %s', async (password) => expect(await isCommonPassword(password, [])).toBe(true));

  it.each(['ann@example.com', 'annabelleannabelle', 'Annabelle Lee', 'annabelle1990'])(
    'is refused when it is made of the user’s own name or address: %s',
    async (password) =>
      expect(await isCommonPassword(password, ['ann@example.com', 'Annabelle Lee', 'annabelle'])).toBe(true),
  );

  it.each(['walletcoltd12', 'walletco walletco 1', 'WalletCo-2026!', '2026walletco.example', 'Walletco123Ltd'])(
    'is refused when nothing but its ends is not the name of the company: %s',
    async (password) => expect(await isCommonPassword(password, ['ops@walletco.example', 'WalletCo Ltd'])).toBe(true),
  );

  it.each([
    ['walletco12345', 'Wallet-Co Ltd'],
    ['smithpartners2026', 'Smith&Partners GmbH'],
    ['smithpartnersgmbh', 'Smith&Partners GmbH'],
    ['walletco2026!', 'W.A.L.L.E.T (Co)'],
    ['müllersöhne1', 'Müller/Söhne KG'],
    ['walletco12345', 'Wallet_Co'],
  ])('is refused when a sign or a blank parts the name of the company: %s for %s', async (password, name) =>
    expect(await isCommonPassword(password, ['ops@x.example', name])).toBe(true),
  );

  it.each(['x7$kQ2!pLw9z', 'four words are enough', 'correct horse battery staple'])(
    'is not for the short parts of a name: %s',
    async (password) => expect(await isCommonPassword(password, ['x7@q2.io', 'X7 & Are w9 Co-Q2 Ltd'])).toBe(false),
  );

  it('is looked at to an end, however many parts a name has', async () => {
    const name = Array.from({ length: 100 }, (_, at) => String.fromCodePoint(0x3b1 + (at % 24), 0x30 + (at % 10))).join(
      '-',
    );
    expect(await isCommonPassword('correct horse battery staple', ['ann@example.com', name])).toBe(false);
  });

  it('is compared with a hundred words of its user at most, the shortest ways to read a name first', () => {
    const name = Array.from({ length: 60 }, (_, at) => `ab${at}`).join(' ');
    const words = ownWordsOf(['ann@shop.example', name]);
    expect(words.length).toBeLessThanOrEqual(100);
    expect(words).toEqual(expect.arrayContaining(['ann', 'shop', 'annshopexample', 'ab0', 'ab40']));
  });

  it('is not when the name is one of several words', async () =>
    expect(await isCommonPassword('walletco battery staple purple', ['ops@walletco.example', 'WalletCo Ltd'])).toBe(
      false,
    ));

  it.each(['four words are enough', 'correct horse battery staple', 'x7$kQ2!pLw9z', '电费 账单 星期三 早上 咖啡'])(
    'is not: %s',
    async (password) => expect(await isCommonPassword(password, ['ann@example.com'])).toBe(false),
  );

  it('is judged by the answer to its own look, where another is under way', async () => {
    const both = ['password1234', 'correct horse battery staple'].map((password) => isCommonPassword(password, []));
    expect(await Promise.all(both)).toEqual([true, false]);
  });

  it('is looked at in no time, however long it is', async () => {
    // Characters after the first 64 are not looked at.
    expect(await isCommonPassword('ab'.repeat(50_000), [])).toBe(true);
  });

  it.each(['İİİİİİİİ correct horse battery staple acme', 'İİİİİİİİacme correct horse battery staple'])(
    'is looked at to an end where small letters are longer: %s',
    async (password) => expect(await isCommonPassword(password, ['acme@x.example'])).toBe(false),
  );

  it('is refused when a look at it takes too long, and the next one is looked at', async () => {
    // A look at it takes a tenth of a second and more.
    const slow = '4@8({[<369!|1$5+7%2&0)}]>'.repeat(3);
    expect(await isCommonPassword(slow, [], 1)).toBe(true);
    expect(await isCommonPassword('correct horse battery staple', [])).toBe(false);
    expect(await isCommonPassword('password1234', [])).toBe(true);
  });

  it('is looked at in a thread of its own: requests are answered meanwhile', async () => {
    await isCommonPassword('loads the lists', []);
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await isCommonPassword('4@8({[<369!|1$5+7%2&0)}]>'.repeat(3), []);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(0);
  });
});
