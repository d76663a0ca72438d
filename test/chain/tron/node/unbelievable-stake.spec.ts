import { NodeUnavailableError } from '../../../../src/chain/tron/node/node-errors';
import { StakeReads } from '../../../../src/chain/tron/node/stake-reads';
import { NodeProxy } from '../../../support/node-proxy';
import { OrderWorld } from '../../../support/order-world';

const ABOVE_ALL_TRX = '1000000000000000001';

describe('what a node says of a stake', () => {
  let world: OrderWorld;
  let node: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      backgroundWork: false,
      nodeUrl: (url) => {
        node = new NodeProxy(url);
        return node.open();
      },
    });
  });
  afterAll(async () => {
    await world.close();
    await node.close();
  });
  afterEach(() => {
    node.answers = () => undefined;
    node.after = (_, answer) => answer;
  });

  const reads = () => world.app.app.get(StakeReads);
  const address = () => world.chain.accounts.find(({ role }) => role === 'pool')!.address;
  const changed = (route: string, change: (answer: string) => string) => {
    node.after = (call, answer) => (call.route === route ? change(answer) : answer);
  };
  const added = (field: string) => (answer: string) => answer.replace(/^\{/, `{${field},`);

  it.each([
    ['a reward above all TRX', 'walletsolidity/getReward', () => `{"reward":"${ABOVE_ALL_TRX}"}`],
    [
      'a power whose sun no column holds',
      'wallet/getaccountresource',
      (answer: string) => answer.replace(/"tronPowerLimit":\s*\d+/, '"tronPowerLimit":"9300000000000"'),
    ],
    [
      'a last claim at a time that no date has',
      'walletsolidity/getaccount',
      added('"latest_withdraw_time":"8640000000000001"'),
    ],
    [
      'unfreezing that adds up to more than all TRX',
      'walletsolidity/getaccount',
      added(`"unfrozenV2":[{"unfreeze_amount":"999999999999999999"},{"unfreeze_amount":"999999999999999999"}]`),
    ],
    [
      'votes above all TRX',
      'walletsolidity/getaccount',
      added(`"votes":[{"vote_address":"41${'0'.repeat(40)}","vote_count":"1000000000001"}]`),
    ],
  ])('is not believed with %s', async (_, route, change) => {
    expect(await reads().read(address())).not.toBeNull();
    changed(route, change);
    await expect(reads().read(address())).rejects.toBeInstanceOf(NodeUnavailableError);
  });

  it('is not believed with an unfreezing of a thousand years, a share above all, or pay and votes beyond all TRX', async () => {
    const parameter = (key: string, value: string) => () => `{"chainParameter":[{"key":"${key}","value":"${value}"}]}`;
    changed('wallet/getchainparameters', parameter('getUnfreezeDelayDays', '366'));
    await expect(reads().unfreezeRules()).rejects.toBeInstanceOf(NodeUnavailableError);
    changed('wallet/getchainparameters', parameter('getWitnessPayPerBlock', '1000000000001'));
    await expect(reads().witnessPay()).rejects.toBeInstanceOf(NodeUnavailableError);
    changed('wallet/getBrokerage', () => '{"brokerage":101}');
    await expect(reads().brokerage(address())).rejects.toBeInstanceOf(NodeUnavailableError);
    changed(
      'wallet/listwitnesses',
      () => `{"witnesses":[{"address":"41${'0'.repeat(40)}","voteCount":"1000000000001"}]}`,
    );
    await expect(reads().candidates()).rejects.toBeInstanceOf(NodeUnavailableError);
  });

  it('takes one answer of each node about the account', async () => {
    const calls = () => node.calls.filter(({ route }) => route === 'walletsolidity/getaccount').length;
    const before = calls();
    await reads().read(address());
    expect(calls() - before).toBe(1);
  });
});
