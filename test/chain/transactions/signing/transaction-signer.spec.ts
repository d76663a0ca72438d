import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Trx, TronWeb, type Types, utils } from 'tronweb';
import { JudgedKeys, UnjudgedKeyError } from '../../../../src/chain/transactions/signing/judged-keys';
import type { TransactionKind } from '../../../../src/chain/transactions/kinds/transaction-kind';
import { rawDataJson } from '../../../../src/chain/transactions/signing/raw-data-json';
import { signDigest } from '../../../../src/chain/transactions/signing/sign-digest';
import { SigningKeyError } from '../../../../src/chain/transactions/signing/signing-keys';
import type { PlannedTransaction } from '../../../../src/chain/transactions/signing/planned-transaction';
import {
  referenceFields,
  SigningRefusedError,
  TransactionSigner,
} from '../../../../src/chain/transactions/signing/transaction-signer';
import { ACTIVATION, DELEGATION, RECLAIM, stakeOf } from '../../../../src/delegation/transaction-kinds';
import { TransactionBuilder } from '../../../../src/chain/transactions/signing/transaction-builder';
import { CrashPoints } from '../../../../src/common/crash-points';
import { keysWithoutSigner } from '../../../support/keys-without-signer';

type Options = NonNullable<Parameters<TronWeb['transactionBuilder']['delegateResource']>[6]>;

describe('the signer', () => {
  const { transactionBuilder } = new TronWeb({ fullHost: 'http://127.0.0.1:1' });
  const place = mkdtempSync(join(tmpdir(), 'signer-'));
  const [own, hot, receiver, other] = [0, 1, 2, 3].map(() => utils.accounts.generateAccount()) as never as [
    ReturnType<typeof utils.accounts.generateAccount>,
    ReturnType<typeof utils.accounts.generateAccount>,
    ReturnType<typeof utils.accounts.generateAccount>,
    ReturnType<typeof utils.accounts.generateAccount>,
  ];
  const keyFile = join(place, 'key');
  writeFileSync(keyFile, hot.privateKey.replace(/^0x/, ''));
  afterAll(() => rmSync(place, { recursive: true }));

  const keys = keysWithoutSigner();
  const signer = new TransactionSigner(keys, keys, new JudgedKeys({ powerfulKeys: 'warn' }, keys));
  const wallet = (role: 'delegate' | 'activate', permissionId = 2) => ({
    name: 'pool',
    address: own.address.base58,
    role,
    keySource: `file:${keyFile}`,
    permissionId,
  });
  const reference = { number: 0x12_0a0f, id: `0000000000120a0fa6b9fcdaad264a38${'0'.repeat(32)}` };
  const times = { expirationMs: 1_795_356_812_103, timestampMs: 1_795_356_753_205 };
  const { refBlockBytes, refBlockHash } = referenceFields(reference);
  const blockHeader = {
    ref_block_bytes: refBlockBytes,
    ref_block_hash: refBlockHash,
    expiration: times.expirationMs,
    timestamp: times.timestampMs,
  };
  const options: Options = { permissionId: 2, blockHeader };
  const planned = (change: Partial<PlannedTransaction> = {}): PlannedTransaction => ({
    kind: DELEGATION,
    values: stakeOf(receiver.address.base58, 7_735_505_557n),
    reference,
    ...times,
    ...change,
  });
  const [from, to, sun] = [own.address.hex, receiver.address.hex, 7_735_505_557];
  const bytesOf = async (built: Types.Transaction | Promise<Types.Transaction>) =>
    Buffer.from((await built).raw_data_hex, 'hex');
  const delegation = (change: Options = options) =>
    transactionBuilder.delegateResource(sun, to, 'ENERGY', from, false, undefined, change);
  const reclaim = () => transactionBuilder.undelegateResource(sun, to, 'ENERGY', from, options);
  const activation = (amount = 1_000_000) => transactionBuilder.sendTrx(to, amount, from, options);

  const refuses = (bytes: Buffer, plan: PlannedTransaction, role: 'delegate' | 'activate' = 'delegate') =>
    expect(signer.sign(wallet(role), plan, bytes)).rejects.toThrow(SigningRefusedError);

  it('signs what was planned, and the signature is the key’s over these very bytes', async () => {
    const bytes = await bytesOf(delegation());
    const { txId, signature } = await signer.sign(wallet('delegate'), planned(), bytes);
    const signed = { ...(await delegation()), signature: [signature] };
    expect([txId, Trx.ecRecover(signed)]).toEqual([signed.txID, hot.address.base58]);
    const undelegation = planned({ kind: RECLAIM });
    expect((await signer.sign(wallet('delegate'), undelegation, await bytesOf(reclaim()))).txId).toMatch(
      /^[0-9a-f]{64}$/,
    );
    const transfer = planned({ kind: ACTIVATION, values: { to_address: receiver.address.base58 } });
    expect((await signer.sign(wallet('activate'), transfer, await bytesOf(activation()))).txId).toMatch(
      /^[0-9a-f]{64}$/,
    );
  });

  it('signs nothing new with a key that is not judged or may do too much, where that is refused, and takes back what is lent', async () => {
    const verdicts = new JudgedKeys({ powerfulKeys: 'refuse' }, keys);
    const strict = new TransactionSigner(keys, keys, verdicts);
    const bytes = await bytesOf(delegation());
    const lend = (permissionId?: number) => () => strict.sign(wallet('delegate', permissionId), planned(), bytes);
    const takeBack = async () => strict.sign(wallet('delegate'), planned({ kind: RECLAIM }), await bytesOf(reclaim()));
    const hotAddress = hot.address.base58;
    await expect(lend()()).rejects.toThrow(UnjudgedKeyError);
    expect((await takeBack()).txId).toMatch(/^[0-9a-f]{64}$/);
    verdicts.judged(wallet('delegate'), other.address.base58, null);
    verdicts.judged(wallet('delegate', 3), hotAddress, null);
    await expect(lend()()).rejects.toThrow(UnjudgedKeyError);
    expect(verdicts.judged(wallet('delegate'), hotAddress, 'it may do all')).toBe(true);
    expect(verdicts.judged(wallet('delegate'), hotAddress, 'it may do all')).toBe(false);
    await expect(lend()()).rejects.toThrow(SigningKeyError);
    await expect(lend()()).rejects.toThrow('it may do all');
    expect((await takeBack()).txId).toMatch(/^[0-9a-f]{64}$/);
    verdicts.judged(wallet('delegate'), hotAddress, null);
    expect((await lend()()).txId).toMatch(/^[0-9a-f]{64}$/);
    writeFileSync(keyFile, own.privateKey.replace(/^0x/, ''));
    utimesSync(keyFile, 1, 1);
    await expect(lend()()).rejects.toThrow(UnjudgedKeyError);
    writeFileSync(keyFile, hot.privateKey.replace(/^0x/, ''));
    utimesSync(keyFile, 2, 2);
  });

  it('signs no bytes in which any one bit is another, which end early, or go on', async () => {
    const kinds = [
      [await bytesOf(delegation()), planned(), 'delegate'],
      [await bytesOf(reclaim()), planned({ kind: RECLAIM }), 'delegate'],
      [
        await bytesOf(activation()),
        planned({ kind: ACTIVATION, values: { to_address: receiver.address.base58 } }),
        'activate',
      ],
    ] as const;
    for (const [bytes, plan, role] of kinds) {
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        await refuses(changed, plan, role);
      }
      for (let end = 0; end < bytes.length; end++) await refuses(bytes.subarray(0, end), plan, role);
      // A memo, a field that no version has, and the expiration once more.
      for (const more of ['520168', 'f80101', bytes.subarray(bytes.indexOf(0x40)).subarray(0, 7).toString('hex')])
        await refuses(Buffer.concat([bytes, Buffer.from(more, 'hex')]), plan, role);
    }
  });

  it('signs no bytes that another reader could read otherwise: bits of a tag beyond 32, of a number beyond 64, a fee limit, a second contract', async () => {
    const bytes = await bytesOf(delegation());
    // The first field's tag in six bytes, and the timestamp, which comes last, in ten: to a reader that drops bits they are as before.
    await refuses(Buffer.concat([Buffer.from('8a8080808001', 'hex'), bytes.subarray(1)]), planned());
    const timestamp = bytes.lastIndexOf(0x70) + 1;
    const bits = BigInt(planned().timestampMs) + (1n << 64n);
    const ten = Array.from({ length: 10 }, (_, at) => Number((bits >> BigInt(7 * at)) & 0x7fn) | (at < 9 ? 0x80 : 0));
    await refuses(Buffer.concat([bytes.subarray(0, timestamp), Buffer.from(ten)]), planned());
    const contract = bytes.indexOf(0x5a);
    const second = bytes.subarray(contract, contract + 2 + bytes[contract + 1]!);
    for (const more of ['900101', '4a0101', '620101'])
      await refuses(Buffer.concat([bytes, Buffer.from(more, 'hex')]), planned());
    await refuses(Buffer.concat([bytes, second]), planned());
  });

  const owner = { type: 0, permission_name: 'owner', threshold: 1, keys: [{ address: other.address.hex, weight: 1 }] };
  const active = { ...owner, type: 2, permission_name: 'active', operations: 'f'.repeat(64) };
  it.each([
    ['locked', () => transactionBuilder.delegateResource(sun, to, 'ENERGY', from, true, 100, options)],
    ['of bandwidth', () => transactionBuilder.delegateResource(sun, to, 'BANDWIDTH', from, false, undefined, options)],
    [
      'to another',
      () => transactionBuilder.delegateResource(sun, other.address.hex, 'ENERGY', from, false, 0, options),
    ],
    ['of another', () => transactionBuilder.delegateResource(sun, to, 'ENERGY', other.address.hex, false, 0, options)],
    ['of more', () => transactionBuilder.delegateResource(sun + 1, to, 'ENERGY', from, false, undefined, options)],
    ['by another permission', () => delegation({ ...options, permissionId: 3 })],
    ['by the owner', () => delegation({ blockHeader })],
    [
      'that lives longer',
      () => delegation({ ...options, blockHeader: { ...blockHeader, expiration: 1_895_356_812_103 } }),
    ],
    ['on another block', () => delegation({ ...options, blockHeader: { ...blockHeader, ref_block_bytes: '0a10' } })],
    ['that is an undelegation', reclaim],
    ['that is a transfer', () => activation()],
    ['that freezes', () => transactionBuilder.freezeBalanceV2(sun, 'ENERGY', from, options)],
    ['that unfreezes', () => transactionBuilder.unfreezeBalanceV2(sun, 'ENERGY', from, options)],
    ['that votes', () => transactionBuilder.vote({ [other.address.base58]: 1 }, from, options)],
    [
      'that gives the account away',
      () => transactionBuilder.updateAccountPermissions(from, owner, undefined, [active], options),
    ],
    ['that sends tokens', () => transactionBuilder.sendToken(to, 1, '1000001', from, options)],
  ] as const)('signs no delegation %s', async (_what, build) => {
    await refuses(await bytesOf(build()), planned());
  });

  it('signs nothing that its role is not for, nothing to the wallet itself, and no other amount for an activation', async () => {
    await refuses(await bytesOf(delegation()), planned(), 'activate');
    await refuses(
      await bytesOf(activation()),
      planned({ kind: ACTIVATION, values: { to_address: receiver.address.base58 } }),
      'delegate',
    );
    const more = planned({ kind: ACTIVATION, values: { to_address: receiver.address.base58, amount: 1_000_001n } });
    await refuses(await bytesOf(activation(1_000_001)), more, 'activate');
    const toItself = transactionBuilder.delegateResource(sun, other.address.hex, 'ENERGY', from, false, 0, options);
    await refuses(await bytesOf(toItself), planned({ values: stakeOf(own.address.base58, 7_735_505_557n) }));
    await refuses(await bytesOf(delegation()), planned({ values: stakeOf(receiver.address.base58, 0n) }));
  });

  it('signs a kind that another room brings, with a list in its contract, and no list that is longer, shorter, in another order or of other numbers', async () => {
    const vote: TransactionKind = {
      name: 'vote',
      subject: 'wallet',
      contract: {
        type: 4n,
        name: 'VoteWitnessContract',
        fields: {
          owner_address: [1, 'address'],
          votes: [2, { vote_address: [1, 'address'], vote_count: [2, 'integer'] }],
        },
      },
      role: 'delegate',
      resent: 'always',
      alone: 'none',
    };
    const [one, two] = [receiver.address.base58, other.address.base58];
    const votes = [
      { vote_address: one, vote_count: 300n },
      { vote_address: two, vote_count: 1n },
    ];
    const bytes = await bytesOf(transactionBuilder.vote({ [one]: 300, [two]: 1 }, from, options));
    const plan = (...given: typeof votes) => planned({ kind: vote, values: { votes: given } });
    expect((await signer.sign(wallet('delegate'), plan(...votes), bytes)).txId).toMatch(/^[0-9a-f]{64}$/);
    const [first, second] = votes as [(typeof votes)[0], (typeof votes)[0]];
    for (const given of [[first], [second, first], [first, second, second], [first, { ...second, vote_count: 2n }], []])
      await refuses(bytes, plan(...given));
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      await refuses(changed, plan(...votes));
    }
    const at = { ...reference, headTimeMs: 1_795_356_752_000 };
    const built = await new TransactionBuilder(signer, new CrashPoints({})).sign(
      wallet('delegate'),
      vote,
      { votes },
      at,
    );
    expect(rawDataJson(vote.contract, built.rawDataHex)).toEqual(built.rawData);
  });

  it('takes no signature that is not of the wallet’s key over these very bytes, whatever the signer answers', async () => {
    const bytes = await bytesOf(delegation());
    const good = await keys.sign({ ...planned(), wallet: wallet('delegate') }, bytes);
    const ofOtherBytes = await keys.sign({ ...planned(), wallet: wallet('delegate') }, await bytesOf(reclaim()));
    const digest = createHash('sha256').update(bytes).digest('hex');
    const ofOtherKey = signDigest(digest, other.privateKey.replace(/^0x/, ''));
    const answering = (answer: string) =>
      new TransactionSigner({ sign: async () => answer }, keys, new JudgedKeys({ powerfulKeys: 'warn' }, keys));
    const signed = await answering(good).sign(wallet('delegate'), planned(), bytes);
    expect(signed).toEqual({ txId: digest, signature: good });
    for (const answer of [ofOtherBytes, ofOtherKey, '', 'ff'.repeat(65), `${good}00`, `0x${good}`])
      await expect(answering(answer).sign(wallet('delegate'), planned(), bytes)).rejects.toThrow(SigningRefusedError);
  });

  it('has no signer asked for what was not planned', async () => {
    const asked = jest.fn(async () => '');
    const careful = new TransactionSigner({ sign: asked }, keys, new JudgedKeys({ powerfulKeys: 'warn' }, keys));
    const bytes = await bytesOf(reclaim());
    await expect(careful.sign(wallet('delegate'), planned(), bytes)).rejects.toThrow(SigningRefusedError);
    await expect(careful.sign(wallet('activate'), planned({ kind: RECLAIM }), bytes)).rejects.toThrow('role');
    expect(asked).not.toHaveBeenCalled();
  });

  it('stands in the way of all that the service builds', async () => {
    const transactions = new TransactionBuilder(signer, new CrashPoints({}));
    const at = { ...reference, headTimeMs: 1_795_356_752_000 };
    const stake = stakeOf(receiver.address.base58, 1n);
    await expect(transactions.sign(wallet('activate'), DELEGATION, stake, at)).rejects.toThrow('role');
    const account = { to_address: receiver.address.base58 };
    await expect(transactions.sign(wallet('delegate'), ACTIVATION, account, at)).rejects.toThrow('role');
    const signed = await transactions.sign(wallet('delegate', 0), DELEGATION, stake, at).catch(String);
    // Without a permission the key has to be the wallet's own.
    expect(signed).toContain('belongs to');
  });
});
