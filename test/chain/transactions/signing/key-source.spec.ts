import { checkKeySource, keySourceOf, shownKeySource } from '../../../../src/chain/transactions/signing/key-source';
import { InvalidValueError } from '../../../../src/common/errors/domain.error';
import { keysWithoutSigner } from '../../../support/keys-without-signer';

/** Begins with a letter, so that it could be a variable's name. */
const KEY = `a${'0f'.repeat(31)}9`;

describe('the place of a key', () => {
  it('is a variable’s name or the path of a file', () => {
    expect(keySourceOf('env', 'POOL_KEY')).toBe('env:POOL_KEY');
    expect(keySourceOf('file', '/run/secrets/pool')).toBe('file:/run/secrets/pool');
    // Containers' folders have such names.
    expect(keySourceOf('file', `/overlay/${KEY}/pool`)).toBe(`file:/overlay/${KEY}/pool`);
  });

  it.each([
    ['env', KEY],
    ['env', KEY.toUpperCase()],
    ['env', `0x${KEY}`],
    ['env', `POOL_KEY_${KEY}`],
    ['env', ''],
    ['env', 'POOL KEY'],
    ['env', 'POOL_KEY\n'],
    ['file', `/srv/${KEY}`],
    ['file', `/srv/0x${KEY}/`],
    ['file', `/srv/POOL_KEY=${KEY}`],
    ['file', 'relative'],
  ] as const)('is never, as %s, what may be the key itself or no place at all: %j', (kind, place) => {
    const refused = () => keySourceOf(kind, place);
    expect(refused).toThrow(InvalidValueError);
    if (place !== '') expect(refused).not.toThrow(place);
    expect(() => checkKeySource(`${kind}:${place}`)).toThrow(InvalidValueError);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'is never what every object has under that name: %s is a variable that is not set',
    (name) => {
      const owner = {
        name: 'pool',
        address: 'T',
        role: 'delegate',
        keySource: `env:${name}`,
        permissionId: 2,
      } as const;
      expect(keysWithoutSigner().faultOf(owner)?.message).toBe(`the key variable ${name} is not set`);
    },
  );

  it('is of a kind that is known', () => {
    for (const source of ['', KEY, 'POOL_KEY', `vault:${KEY}`])
      expect(() => checkKeySource(source)).toThrow(InvalidValueError);
  });

  it('is not shown when an earlier version has stored the key there', () => {
    const keys = keysWithoutSigner();
    for (const keySource of [`env:${KEY}`, `file:/srv/${KEY}`]) {
      const owner = { name: 'main', address: '', role: 'delegate', keySource, permissionId: 2 } as const;
      const fault = keys.faultOf(owner)!.message;
      expect([fault, shownKeySource(keySource)]).toEqual([expect.stringContaining('(not shown)'), '(not shown)']);
      expect(fault).not.toContain(KEY);
    }
    expect(shownKeySource('env:POOL_KEY')).toBe('env:POOL_KEY');
  });
});
