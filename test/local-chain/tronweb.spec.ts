import { TronWeb, utils } from 'tronweb';
import { TRX, TestChain, keyOf, named, type Answer, type Key } from './chain.fixture';

type Unsigned = Parameters<TronWeb['trx']['sign']>[0];

const weighOne = (key: Key): Answer => ({ address: key.base58, weight: 1 });

describe('tronweb 6', () => {
  let chain: TestChain;
  let owner: Key;
  let receiver: Key;
  let web: TronWeb;
  beforeAll(async () => {
    chain = await TestChain.start({ solidLag: 2 });
    owner = await chain.put('owner', 10_000);
    receiver = await chain.put('receiver', 10);
    web = webOf(owner);
    await chain.blocks(5);
  });
  afterAll(() => chain.close());

  const webOf = (key: Key): TronWeb => new TronWeb({ fullHost: chain.chain.url, privateKey: key.key });
  /** Signs with tronweb, sends with tronweb, in a block when it returns. */
  const run = async (building: Promise<unknown>, from = web): Promise<Answer> => {
    const signed = await from.trx.sign((await building) as Unsigned);
    const answer = await from.trx.sendRawTransaction(signed as never);
    expect(answer).toMatchObject({ result: true });
    await chain.blocks();
    return answer.transaction;
  };
  const builder = (): TronWeb['transactionBuilder'] => web.transactionBuilder;

  it('connects, and reads blocks', async () => {
    expect(await web.isConnected()).toEqual({ fullNode: true, solidityNode: true, eventServer: false });
    const head = await web.trx.getCurrentBlock();
    const { number } = head.block_header.raw_data;
    expect(await web.trx.getBlock(number)).toEqual(head);
    expect(await web.trx.getBlock('latest')).toEqual(head);
    expect(await web.trx.getBlockByHash(head.blockID)).toEqual(head);
    expect((await web.trx.getConfirmedCurrentBlock()).block_header.raw_data.number).toBe(number - 2);
    expect(await web.trx.getBlockRange(1, 3)).toHaveLength(3);
    expect(await web.trx.getBlockTransactionCount(0)).toBe(4);
    expect(await web.trx.getCurrentRefBlockParams()).toMatchObject({
      expiration: head.block_header.raw_data.timestamp + 60_000,
    });
  });

  it('sends TRX, and finds the transaction wherever it is', async () => {
    const { txID } = await run(builder().sendTrx(receiver.base58, 3 * TRX, owner.base58));
    const { number } = await chain.head();
    expect(await web.trx.getTransaction(txID)).toMatchObject({ txID });
    await expect(web.trx.getConfirmedTransaction(txID)).rejects.toThrow('Transaction not found');
    expect(await web.trx.getUnconfirmedTransactionInfo(txID)).toMatchObject({ id: txID, blockNumber: number });
    expect(await web.trx.getTransactionInfo(txID)).toEqual({});
    expect(await web.trx.getTransactionFromBlock(number, 0)).toMatchObject({ txID });
    await chain.blocks(2);
    expect(await web.trx.getConfirmedTransaction(txID)).toMatchObject({ txID });
    expect(await web.trx.getTransactionInfo(txID)).toMatchObject({ id: txID });
    expect(await web.trx.getBalance(receiver.base58)).toBe(13 * TRX);
    expect(await web.trx.getUnconfirmedBalance(receiver.base58)).toBe(13 * TRX);
  });

  it('stakes, lends, takes back, unstakes and changes its mind', async () => {
    await run(builder().freezeBalanceV2(2_000 * TRX, 'ENERGY', owner.base58));
    await run(builder().freezeBalanceV2(1_000 * TRX, 'BANDWIDTH', owner.base58));
    await run(builder().delegateResource(500 * TRX, receiver.base58, 'ENERGY', owner.base58));
    await run(builder().delegateResource(100 * TRX, receiver.base58, 'ENERGY', owner.base58, true, 1_200));
    expect(await web.trx.getCanDelegatedMaxSize(owner.base58, 'ENERGY', { confirmed: false })).toEqual({
      max_size: 1_400 * TRX,
    });
    expect(await web.trx.getDelegatedResourceV2(owner.base58, receiver.base58, { confirmed: false })).toMatchObject({
      delegatedResource: [
        { frozen_balance_for_energy: 500 * TRX },
        { frozen_balance_for_energy: 100 * TRX, expire_time_for_energy: expect.any(Number) },
      ],
    });
    expect(await web.trx.getDelegatedResourceAccountIndexV2(owner.base58, { confirmed: false })).toEqual({
      account: owner.hex,
      toAccounts: [receiver.hex],
    });
    await run(builder().undelegateResource(500 * TRX, receiver.base58, 'ENERGY', owner.base58));
    await run(builder().unfreezeBalanceV2(300 * TRX, 'ENERGY', owner.base58));
    expect(await web.trx.getAvailableUnfreezeCount(owner.base58, { confirmed: false })).toEqual({ count: 31 });
    await run(builder().cancelUnfreezeBalanceV2(owner.base58));
    await run(builder().unfreezeBalanceV2(200 * TRX, 'ENERGY', owner.base58));
    const later = (await chain.head())['timestamp'] + 14 * 86_400_000;
    expect(await web.trx.getCanWithdrawUnfreezeAmount(owner.base58, later, { confirmed: false })).toEqual({
      amount: 200 * TRX,
    });
    await chain.control('block', { timestamp: later });
    await run(builder().withdrawExpireUnfreeze(owner.base58));
    expect((await web.trx.getUnconfirmedAccount(owner.base58)).frozenV2).toEqual([
      { amount: 1_000 * TRX },
      { type: 'ENERGY', amount: 1_700 * TRX },
      { type: 'TRON_POWER' },
    ]);
  });

  it('reads accounts and resources', async () => {
    await chain.blocks(3);
    expect(await web.trx.getAccount(owner.base58)).toMatchObject({ address: owner.hex });
    expect(await web.trx.getAccount(named('nobody').base58)).toEqual({});
    expect(await web.trx.getAccountById('0x6e6f626f6479')).toEqual({});
    expect(await web.trx.getAccountResources(owner.base58)).toMatchObject({
      tronPowerLimit: 2_800,
      EnergyLimit: expect.any(Number),
    });
    expect(await web.trx.getBandwidth(owner.base58)).toBeGreaterThan(600);
    expect(await web.trx.getReward(owner.base58)).toBe(0);
    expect(await web.trx.getBrokerage(owner.base58)).toBe(20);
  });

  it('gives a restricted key its operations, and signs with it', async () => {
    const hot = named('hot');
    const ownerPermission = { type: 0, permission_name: 'owner', threshold: 1, keys: [weighOne(owner)] };
    const active = {
      type: 2,
      permission_name: 'energy',
      threshold: 1,
      operations: '0000000000000006'.padEnd(64, '0'),
      keys: [weighOne(hot)],
    };
    await run(builder().updateAccountPermissions(owner.base58, ownerPermission as never, null, [active] as never));
    const hotWeb = webOf(hot);
    const tx = await hotWeb.transactionBuilder.delegateResource(
      10 * TRX,
      receiver.base58,
      'ENERGY',
      owner.base58,
      false,
      undefined,
      { permissionId: 2 },
    );
    const signed = await hotWeb.trx.multiSign(tx, hot.key);
    expect(await hotWeb.trx.getSignWeight(signed)).toMatchObject({
      result: {},
      current_weight: 1,
      approved_list: [hot.hex],
    });
    expect(await hotWeb.trx.getApprovedList(signed)).toMatchObject({ result: {}, approved_list: [hot.hex] });
    expect(await hotWeb.trx.sendRawTransaction(signed)).toMatchObject({ result: true });
    await chain.blocks();
    const transfer = await hotWeb.transactionBuilder.sendTrx(receiver.base58, 1, owner.base58, { permissionId: 2 });
    const refused = await hotWeb.trx.sendRawTransaction(await hotWeb.trx.multiSign(transfer, hot.key));
    expect(refused).toMatchObject({ code: 'SIGERROR' });
    expect(Buffer.from(refused.message, 'hex').toString()).toBe('Validate signature error: Permission denied');
  });

  it('creates and names an account, and sends by hex', async () => {
    const fresh = named('made');
    await run(builder().createAccount(fresh.base58, owner.base58));
    await run(builder().updateAccount('the owner', owner.base58));
    expect(await chain.account(owner)).toMatchObject({ account_name: Buffer.from('the owner').toString('hex') });
    expect(await chain.account(fresh)).toMatchObject({ address: fresh.hex, create_time: expect.any(Number) });
    const signed = await web.trx.sign(await builder().sendTrx(receiver.base58, 11, owner.base58));
    const hex = utils.transaction.txJsonToPb(signed);
    hex.setSignatureList(signed.signature.map((item: string) => new Uint8Array(Buffer.from(item, 'hex'))));
    expect(await web.trx.sendHexTransaction(Buffer.from(hex.serializeBinary()).toString('hex'))).toMatchObject({
      result: true,
    });
  });

  it('reads what the network is', async () => {
    const parameters = await web.trx.getChainParameters();
    expect(parameters).toContainEqual({ key: 'getEnergyFee', value: 100 });
    expect((await web.trx.getNodeInfo()) as Answer).toMatchObject({ configNodeInfo: { codeVersion: '4.8.2' } });
    expect(await web.trx.getEnergyPrices()).toBe('0:100');
    expect(await web.trx.getBandwidthPrices()).toBe('0:1000');
    expect(await web.trx.listNodes()).toEqual([]);
    expect(await web.trx.listSuperRepresentatives()).toHaveLength(1);
    const { timestamp } = await chain.head();
    expect((await web.trx.timeUntilNextVoteCycle()) - timestamp / 1_000).toBeLessThanOrEqual(21_600);
  });

  it('sees a refused transaction as a code, not as an error', async () => {
    const poor = keyOf(named('poor').key);
    const tx = await builder().sendTrx(receiver.base58, 1, poor.base58);
    const answer = await webOf(poor).trx.sendRawTransaction(await webOf(poor).trx.sign(tx));
    expect(answer).toMatchObject({ code: 'CONTRACT_VALIDATE_ERROR' });
    expect(Buffer.from(answer.message, 'hex').toString()).toBe(
      `Contract validate error : account [${poor.base58}] does not exist`,
    );
  });
});
