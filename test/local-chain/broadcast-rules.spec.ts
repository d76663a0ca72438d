import { TRX, TestChain, named, type Answer, type Built, type Key } from './chain.fixture';

const refused = async (answer: Promise<Answer>, code: string, message: string): Promise<void> => {
  expect(await answer).toMatchObject({ code, message });
};

describe('the broadcast', () => {
  let chain: TestChain;
  let owner: Key;
  let receiver: Key;
  beforeAll(async () => {
    chain = await TestChain.start();
    owner = await chain.put('owner', 1_000, 1_000);
    receiver = await chain.put('receiver', 10);
  });
  afterAll(() => chain.close());

  const built = (header: Answer = {}): Promise<Built> => chain.delegate(owner, receiver, TRX, {}, { header });

  it('checks the expiration before the signature, and the signature before the reference block', async () => {
    const { timestamp } = await chain.head();
    const wrongReference = { ref_block_hash: 'ab'.repeat(8) };
    await refused(
      chain.send(await built({ expiration: timestamp - 1, ...wrongReference })),
      'TRANSACTION_EXPIRATION_ERROR',
      'Transaction expired',
    );
    await refused(
      chain.send(await built(wrongReference)),
      'SIGERROR',
      'Validate signature error: miss sig or contract',
    );
    await refused(chain.send(await built(wrongReference), owner), 'TAPOS_ERROR', 'Tapos check error.');
  });

  it('checks the reference block before a far expiration, and that before a duplicate', async () => {
    const { timestamp } = await chain.head();
    const far = { expiration: timestamp + 86_400_001 };
    await refused(
      chain.send(await built({ ...far, ref_block_hash: 'ab'.repeat(8) }), owner),
      'TAPOS_ERROR',
      'Tapos check error.',
    );
    await refused(chain.send(await built(far), owner), 'TRANSACTION_EXPIRATION_ERROR', 'Transaction expired');
    expect(await chain.send(await built({ expiration: timestamp + 86_400_000 }), owner)).toMatchObject({
      result: true,
    });
  });

  it('refuses what could not be in the next slot, 3 seconds after the head', async () => {
    const { timestamp } = await chain.head();
    await refused(
      chain.send(await built({ expiration: timestamp + 2_999 }), owner),
      'TRANSACTION_EXPIRATION_ERROR',
      'Transaction expired',
    );
    expect(await chain.send(await built({ expiration: timestamp + 3_000 }), owner)).toMatchObject({ result: true });
  });

  it('knows a transaction again while it is pending and when it is in a block, however it was signed', async () => {
    const tx = await built();
    await chain.send(tx, owner);
    await refused(chain.send(tx, owner), 'DUP_TRANSACTION_ERROR', 'Dup transaction.');
    await chain.blocks();
    await refused(chain.send(tx, owner), 'DUP_TRANSACTION_ERROR', 'Dup transaction.');
  });

  it('charges a second signature and a memo, and says so in the fee', async () => {
    const [second] = [named('second key')];
    const owner2 = await chain.put('two keys', 1_000, 100);
    const keys = [owner2, second].map(({ hex }) => ({ address: hex, weight: 1 }));
    const permission = {
      owner_address: owner2.hex,
      owner: { type: 0, permission_name: 'owner', threshold: 2, keys },
      actives: [{ type: 2, permission_name: 'a', threshold: 1, operations: '02'.padEnd(64, '0'), keys }],
    };
    await chain.must(await chain.build('AccountPermissionUpdateContract', permission), owner2);
    await refused(
      chain.send(await chain.transfer(owner2, receiver, 1), owner2),
      'SIGERROR',
      'Validate signature error: sig error',
    );
    const tx = await chain.must(
      await chain.transfer(owner2, receiver, 1, { data: Buffer.from('memo').toString('hex') }),
      owner2,
      second,
    );
    expect((await chain.info(tx))['fee']).toBe(2_000_000 + (await chain.info(tx))['receipt'].net_fee);
    await refused(
      chain.send(await chain.transfer(owner2, receiver, 2), owner2, owner2),
      'SIGERROR',
      `Validate signature error: ${owner2.base58} has signed twice!`,
    );
  });

  it('takes the bytes themselves, and answers their id with plain text', async () => {
    const tx = await built();
    const hex = Buffer.from(tx['raw_data_hex'], 'hex');
    const signed = chain.sign(tx, owner)['signature'][0] as string;
    const bytes = Buffer.concat([
      Buffer.from([0x0a, 0x80 | (hex.length & 0x7f), hex.length >> 7]),
      hex,
      Buffer.from([0x12, 65]),
      Buffer.from(signed, 'hex'),
    ]);
    const first = await chain.post('wallet/broadcasthex', { transaction: bytes.toString('hex') });
    expect(first).toMatchObject({ result: true, code: 'SUCCESS', message: '', txid: tx.txID });
    const again = await chain.post('wallet/broadcasthex', { transaction: `0x${bytes.toString('hex')}` });
    expect(again).toMatchObject({
      result: false,
      code: 'DUP_TRANSACTION_ERROR',
      message: 'Dup transaction.',
      txid: tx.txID,
    });
  });

  it('passes over a contract whose value does not fit, and ends in a null pointer when the rest does not', async () => {
    const tx = chain.sign(await built(), owner);
    const contract = tx.raw_data['contract'][0];
    const withValue = (value: Answer): Answer => ({
      ...tx,
      raw_data: { ...tx.raw_data, contract: [{ ...contract, parameter: { ...contract.parameter, value } }] },
    });
    const value = contract.parameter.value as Answer;
    for (const bad of [
      { ...value, balance: '1000000' },
      { ...value, resource: 'GOLD' },
      { ...value, owner_address: 'zz' },
      { ...value, balance: 1.5 },
    ])
      expect(await chain.post('wallet/broadcasttransaction', withValue(bad))).toMatchObject({
        code: 'CONTRACT_VALIDATE_ERROR',
      });
    const broken = { ...tx, raw_data: { ...tx.raw_data, expiration: 'soon' } };
    expect((await chain.post('wallet/broadcasttransaction', broken))['Error']).toMatch(
      /^class java\.lang\.NullPointerException/,
    );
  });

  it('answers text instead of hex when visible is asked for', async () => {
    const { raw_data: raw, ...tx } = await built({ ref_block_hash: 'ab'.repeat(8) });
    const visible = {
      ...tx,
      visible: true,
      raw_data: {
        ...raw,
        contract: [
          {
            ...raw['contract'][0],
            parameter: {
              ...raw['contract'][0].parameter,
              value: {
                owner_address: owner.base58,
                receiver_address: receiver.base58,
                balance: TRX,
                resource: 'ENERGY',
              },
            },
          },
        ],
      },
    };
    const answer = await chain.post('wallet/broadcasttransaction', chain.sign(visible, owner));
    expect(answer).toMatchObject({ code: 'TAPOS_ERROR', message: 'Tapos check error.', txid: tx['txID'] });
  });

  it('refuses an activation of more than 1,000 bytes', async () => {
    const tx = await chain.transfer(owner, named('nobody yet'), 1, { data: 'ab'.repeat(900) });
    expect(await chain.send(tx, owner)).toMatchObject({
      code: 'TOO_BIG_TRANSACTION_ERROR',
      message: expect.stringMatching(/^Too big new account transaction/),
    });
  });
});
