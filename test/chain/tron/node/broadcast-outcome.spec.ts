import { utils } from 'tronweb';
import { toHexAddress } from '../../../../src/chain/tron/addresses';
import {
  combineOutcomes,
  readBroadcastReply,
  missingDelegation,
  refusedForWallet,
} from '../../../../src/chain/tron/node/broadcast-outcome';

const TX_ID = 'ab'.repeat(32);
const read = (value: unknown) => readBroadcastReply({ kind: 'json', value }, TX_ID);
const hex = (text: string) => Buffer.from(text).toString('hex');

describe('what a node says of a broadcast', () => {
  it.each([
    ['in hex', hex('a\0b')],
    ['as text', 'a\0b'],
    ['with lines and bells', 'a\n\u0007\u009bb'],
    ['with half a character', 'a\ud800b'],
  ])('can be stored as text and as JSON, %s', (_how, message) => {
    const outcome = read({ code: 'CONTRACT_VALIDATE_ERROR', message });
    expect(outcome).toMatchObject({ kind: 'refused', message: expect.stringMatching(/^a[ �]*b$/) });
    expect(JSON.stringify(outcome)).not.toMatch(/\\u0000|\\ud8/);
  });

  it('is at most 300 characters long, whichever part of it is longer', () => {
    const long = 'x'.repeat(10_000);
    for (const answer of [{ code: long }, { code: 'SIGERROR', message: long }, { Error: long }, { txid: long }]) {
      const outcome = read(answer) as { code: string; message: string };
      expect(Math.max(outcome.code.length, outcome.message.length)).toBeLessThanOrEqual(300);
    }
    expect(read({ code: 'SIGERROR', message: `${'x'.repeat(299)}😀` })).toMatchObject({
      message: `${'x'.repeat(299)}�`,
    });
  });

  it('is not an acceptance when it names another txid: those are not the bytes that were saved', () => {
    expect(read({ result: true, txid: TX_ID.toUpperCase() })).toEqual({ kind: 'accepted', code: 'SUCCESS' });
    for (const answer of [{ result: true }, { code: 'DUP_TRANSACTION_ERROR' }, { code: 'SIGERROR' }])
      expect(read({ ...answer, txid: 'cd'.repeat(32) })).toMatchObject({ kind: 'unknown', code: 'OTHER_TXID' });
  });

  it('is not a refusal when the code is a word that every object knows', () => {
    for (const code of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(read({ code })).toMatchObject({ kind: 'unknown', code });
    }
  });
});

describe('what several nodes say of the same bytes', () => {
  const accepted = read({ result: true });
  const refused = read({ code: 'SIGERROR', message: hex('Validate signature error') });
  const busy = read({ code: 'SERVER_BUSY', message: hex('Server busy.') });
  const silent = readBroadcastReply({ kind: 'unknown', reason: 'time-out' }, TX_ID);

  it('is not a refusal while one of them may have got the bytes, whichever answers first or last', () => {
    for (const outcomes of [
      [silent, refused],
      [refused, silent],
      [busy, silent, refused],
    ])
      expect(combineOutcomes(outcomes)).toBe(silent);
  });

  it('is an acceptance when one of them accepts, and else the last refusal', () => {
    for (const outcomes of [
      [accepted, refused],
      [refused, accepted],
      [silent, accepted, busy],
    ])
      expect(combineOutcomes(outcomes)).toBe(accepted);
    expect(combineOutcomes([busy, refused])).toBe(refused);
    expect(combineOutcomes([])).toMatchObject({ kind: 'refused', code: 'UNDELIVERED' });
  });
});

describe('a delegation is missing', () => {
  const missing = read({ code: 'CONTRACT_VALIDATE_ERROR', message: hex('delegated Resource does not exist') });
  const accepted = read({ result: true });
  const unable = read({ code: 'NO_CONNECTION', message: hex('no connection') });
  const gone = readBroadcastReply({ kind: 'undelivered', reason: 'connect time-out' }, TX_ID);
  const silent = readBroadcastReply({ kind: 'unknown', reason: 'time-out' }, TX_ID);
  const limited = { kind: 'limited', reason: 'HTTP 429', waitMs: null } as const;
  const busy = [true, false].map((untouched) => readBroadcastReply({ ...limited, untouched }, TX_ID));

  const failed = read({ Error: 'class java.lang.NullPointerException : null' });
  const otherwise = ['SIGERROR', 'BANDWITH_ERROR', 'TAPOS_ERROR', 'SERVER_BUSY', 'CONTRACT_VALIDATE_ERROR'].map(
    (code) => read({ code, message: hex('something else') }),
  );

  it('by the word of a node, whatever else another refuses the bytes for or does not answer', () => {
    for (const outcomes of [[missing], [missing, missing], [gone, missing], [missing, gone], [missing, silent]])
      expect(missingDelegation(outcomes)).toBe(missing);
    expect(missingDelegation([busy[0]!, missing, ...busy])).toBe(missing);
    for (const other of [...otherwise, unable]) {
      expect(missingDelegation([missing, other])).toBe(missing);
      expect(missingDelegation([other, missing])).toBe(missing);
    }
    expect(missingDelegation([missing, failed])).toBe(missing);
  });

  it('not while one accepts the bytes or may have got them before', () => {
    for (const outcomes of [
      [missing, accepted],
      [accepted, missing],
      [silent, missing],
      [failed, missing],
      [busy[1]!, missing],
    ])
      expect(missingDelegation(outcomes)).toBeNull();
    for (const outcomes of [[], [gone], [silent], [accepted], [unable], otherwise])
      expect(missingDelegation(outcomes)).toBeNull();
  });
});

describe('a refusal is the fault of the wallet that signed', () => {
  const wallet = utils.accounts.generateAccount().address.base58;
  const receiver = utils.accounts.generateAccount().address.base58;
  const refusal = (code: string, message: string) => refusedForWallet(read({ code, message: hex(message) }), wallet);
  const invalid = (message: string) => refusal('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${message}`);

  it('when its signature, its permission, its bandwidth, its TRX or its account is what is wrong', () => {
    expect(refusal('SIGERROR', 'Validate signature error: Permission denied')).toBe(true);
    expect(refusal('BANDWITH_ERROR', 'Account resource insufficient error.')).toBe(true);
    expect(invalid("permission isn't exit")).toBe(true);
    expect(invalid('Validate TransferContract error, balance is not sufficient.')).toBe(true);
    expect(invalid('Validate TransferContract error, no OwnerAccount.')).toBe(true);
    expect(invalid(`Account[${toHexAddress(wallet)}] not exists`)).toBe(true);
    expect(invalid(`Account[${toHexAddress(wallet)}] does not exist`)).toBe(true);
    expect(invalid(`account [${wallet}] does not exist`)).toBe(true);
  });

  it('and not when it is the stake, the receiver, the bytes or the node', () => {
    expect(invalid('delegateBalance must be less than or equal to available FreezeEnergyV2 balance')).toBe(false);
    expect(invalid('insufficient delegateFrozenBalance(Energy), request=5, unlock_balance=0')).toBe(false);
    expect(invalid('delegated Resource does not exist')).toBe(false);
    expect(invalid(`Account[${toHexAddress(receiver)}] not exists`)).toBe(false);
    expect(refusal('TOO_BIG_TRANSACTION_ERROR', 'Too big transaction')).toBe(false);
    expect(refusal('TAPOS_ERROR', 'Tapos check error.')).toBe(false);
    expect(refusal('SERVER_BUSY', 'Server busy.')).toBe(false);
  });
});
