import { mailboxOf, mailboxSql } from '../../src/users/mailbox';
import { checkEmail, normaliseEmail } from '../../src/users/user.validation';
import { createTestApp, type TestApp } from '../support/test-app';

const SPELLINGS: readonly (readonly [typed: string, kept: string])[] = [
  [' Ann@Example.COM ', 'ann@example.com'],
  ['ａｎｎ＠example．com', 'ann@example.com'],
  ['Jose\u0301@example.com', 'jos\u00e9@example.com'],
  ['\ufb01n@example.com', 'fin@example.com'],
  ['\u212aate@example.com', 'kate@example.com'],
  ['ann@B\u00fccher.example', 'ann@xn--bcher-kva.example'],
  ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
  ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
  ['ann@商店。example', 'ann@xn--czrs0t.example'],
  ['ann+tag@example.com', 'ann+tag@example.com'],
];

const MAILBOXES: readonly (readonly [address: string, mailbox: string])[] = [
  ['ann@example.com', 'ann@example.com'],
  ['ann+@example.com', 'ann@example.com'],
  ['ann+a@example.com', 'ann@example.com'],
  ['ann+a+b.c@example.com', 'ann@example.com'],
  ['+a@example.com', '+a@example.com'],
  ['++a@example.com', '+@example.com'],
  ['ann@exa+mple.com', 'ann@exa+mple.com'],
  ['j.o.hn@example.com', 'j.o.hn@example.com'],
];

describe('an e-mail address', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service?.close());

  it.each(SPELLINGS)('%j has the one spelling %j', (typed, kept) => {
    expect(checkEmail(typed)).toBe(kept);
    expect(normaliseEmail(kept)).toBe(kept);
  });

  it.each(MAILBOXES)(
    '%j belongs to the mailbox %j, in the code and in the database alike',
    async (address, mailbox) => {
      expect(mailboxOf(address)).toBe(mailbox);
      const [row] = await service.sql.rows<[string], { mailbox: string }>(
        { name: '', text: `select ${mailboxSql('$1::text')} as mailbox` },
        [address],
      );
      expect(row!.mailbox).toBe(mailbox);
    },
  );

  it.each([
    '"ann"@example.com',
    'ann@example.com,eve@example.com',
    'Ann <ann@example.com>',
    'ann(eve)@example.com',
    'ann\\@example.com',
    'ann@example.com\r\nBcc: eve@example.com',
    'ann@[127.0.0.1]',
    'ann@b\u00fccher\u202e.example',
  ])('is not %j: a header is made of it', (typed) => {
    expect(() => checkEmail(typed)).toThrow('is not an e-mail address');
  });
});
