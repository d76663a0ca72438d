import type { BlockHeader } from '../../../../src/chain/proof/block-header';
import { HeaderChain } from '../../../../src/chain/proof/header-chain';
import { NodeJudge, type Witness } from '../../../../src/chain/proof/judge';
import type { BlockReads } from '../../../../src/chain/tron/node/block-reads';
import { FollowSigners } from '../../../../src/chain/verified-chain/witnesses/follow-signers';

const WITNESSES = Array.from({ length: 27 }, (_, n): Witness => ({ address: `w${n}`, signing_address: `k${n}` }));
const [FIRST, ...OTHERS] = WITNESSES as [Witness, ...Witness[]];
const NEW_KEY = 'k0-new';
/** The block of the first witness, with two turns of the others on top. */
const NUMBER = 28;

function header(number: number, { address: witness, signing_address: signer }: Witness): BlockHeader {
  return {
    number,
    id: `b${number}`,
    parentId: `b${number - 1}`,
    timeMs: number * 3_000,
    root: '',
    witness,
    signer,
    signed: null,
  };
}

/** Its block 28 is signed by this key; before and behind it sign the others. */
function chainWith(key: string): HeaderChain {
  const chain = new HeaderChain(header(0, OTHERS[0]!), new NodeJudge());
  for (let number = 1; number <= NUMBER + 3 * 26; number++) {
    const maker = number === NUMBER ? { ...FIRST, signing_address: key } : OTHERS[number % OTHERS.length]!;
    chain.extend([header(number, maker)]);
  }
  return chain;
}

/** What each node shows as the signer of that block; null: it does not answer. */
async function keyOfFirst(
  shown: readonly (string | null | (() => string))[],
  { witnesses = WITNESSES, gone = [] as readonly Witness[] } = {},
): Promise<string | undefined> {
  const allUrls = shown.map((_, at) => String(at));
  const headerAt = async (url: string, number: number) => {
    const signer = shown[Number(url)]!;
    if (signer === null) throw new Error('away');
    return header(number, { ...FIRST, signing_address: typeof signer === 'string' ? signer : signer() });
  };
  const signers = new FollowSigners({ urls: allUrls, allUrls, headerAt } as unknown as BlockReads);
  const signedAtMs = Object.fromEntries(witnesses.map(({ address }) => [address, 0]));
  const followed = { number: 1, id: 'b1', timeMs: 3_000, signedAtMs };
  const named = new Set(WITNESSES.map(({ address }) => address));
  const known = { witnesses, followed, changedAtMs: [], named, gone };
  const learned = await signers.follow(chainWith(NEW_KEY), known);
  return learned.witnesses.find(({ address }) => address === FIRST.address)?.signing_address;
}

describe('another key of a known witness', () => {
  it.each([
    ['both of two nodes show', [NEW_KEY, NEW_KEY], NEW_KEY],
    ['the only node shows', [NEW_KEY], NEW_KEY],
    ['one of two nodes shows, while the other is silent', [NEW_KEY, null], FIRST.signing_address],
    ['one of two nodes shows, and the other a third', [NEW_KEY, 'k0-other'], FIRST.signing_address],
    ['one of two nodes shows, and the other the known one', [NEW_KEY, FIRST.signing_address], FIRST.signing_address],
    ['one of three nodes shows, and the others a third', [NEW_KEY, 'k0-other', 'k0-other'], 'k0-other'],
  ])('that %s, counts or does not', async (_, shown, key) => {
    expect(await keyOfFirst(shown)).toBe(key);
  });

  it('does not count where a node shows another one each time', async () => {
    let times = 0;
    expect(await keyOfFirst([() => `k0-${times++}`])).toBe(FIRST.signing_address);
  });
});

it('the key of a newly elected witness does not count while two nodes show different ones', async () => {
  expect(await keyOfFirst([NEW_KEY, 'k0-other'], { witnesses: OTHERS })).toBeUndefined();
});

describe('while one of two nodes is silent, the key of', () => {
  const silent = [NEW_KEY, null];
  it.each([
    ['a newly elected witness counts', [], NEW_KEY],
    ['one that is back with its key of before counts', [{ ...FIRST, signing_address: NEW_KEY }], NEW_KEY],
    ['one that had another key before does not', [FIRST], undefined],
  ])('%s', async (_, gone, key) => {
    expect(await keyOfFirst(silent, { witnesses: OTHERS, gone })).toBe(key);
  });
});
