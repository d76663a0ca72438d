import { TestChain, named, type Answer } from './chain.fixture';

const ROUTES = ['wallet/triggerconstantcontract', 'wallet/estimateenergy', 'walletsolidity/triggerconstantcontract'];
const TRIGGER = 'wallet/triggersmartcontract';

describe('what asks for a contract', () => {
  let chain: TestChain;
  beforeAll(async () => (chain = await TestChain.start()));
  afterAll(() => chain.close());

  const fields = () => ({
    owner_address: chain.pool.hex,
    contract_address: named('contract').hex,
    function_selector: 'totalSupply()',
  });
  /** Code and message of a refused call, the message as text. */
  async function refusal(route: string, body: unknown): Promise<[string, string]> {
    const { result, ...more } = await chain.post(route, body);
    const { code, message } = result as Answer;
    expect(more).toEqual({});
    return [String(code), Buffer.from(String(message), 'hex').toString()];
  }

  it('finds none', async () => {
    for (const route of ['wallet/getcontract', 'wallet/getcontractinfo']) {
      expect(await chain.post(route, { value: named('contract').hex })).toEqual({});
      expect(await chain.post(route, { value: named('contract').base58, visible: true })).toEqual({});
      expect((await chain.post(route, { value: 'zz' }))['Error']).toMatch(/JsonFormat\$ParseException/);
    }
  });

  it('and calls it hears that it is not there', async () => {
    for (const route of ROUTES)
      expect(await refusal(route, fields())).toEqual(['CONTRACT_VALIDATE_ERROR', 'Smart contract is not exist.']);
    const none = ['CONTRACT_VALIDATE_ERROR', 'No contract or not a valid smart contract'];
    expect(await refusal(TRIGGER, { ...fields(), fee_limit: 1_000_000 })).toEqual(none);
    const { base58: contract_address } = named('contract');
    const visible = { ...fields(), owner_address: chain.pool.base58, contract_address, visible: true };
    expect((await chain.post(TRIGGER, visible))['result']).toEqual({ code: none[0], message: none[1] });
  });

  it('and calls it with fields that do not go together hears which', async () => {
    const invalid = (text: string) => ['OTHER_ERROR', `class java.security.InvalidParameterException : ${text}`];
    const { owner_address, contract_address } = fields();
    for (const route of [...ROUTES, TRIGGER])
      expect(await refusal(route, { contract_address })).toEqual(invalid("owner_address isn't set."));
    expect(await refusal(TRIGGER, { owner_address, data: 'ab' })).toEqual(invalid("contract_address isn't set."));
    for (const route of ROUTES) {
      expect(await refusal(route, { owner_address })).toEqual(
        invalid('At least one of contract_address and data must be set.'),
      );
      expect(await refusal(route, { owner_address, data: 'ab', function_selector: 'f()' })).toEqual(
        invalid('While trying to deploy, function_selector and data can not be both set.'),
      );
      // The code of a contract to be would have to be run.
      expect(await refusal(route, { owner_address, data: 'ab' })).toEqual([
        'CONTRACT_VALIDATE_ERROR',
        'this node does not support constant',
      ]);
    }
  });

  it('and cannot be read hears where', async () => {
    const other = (text: string) => ['OTHER_ERROR', `class ${text}`];
    const place = JSON.stringify({ owner_address: chain.pool.hex, contract_address: '' }).length - 2;
    const body = { owner_address: chain.pool.hex, contract_address: 'zz' };
    expect(await refusal(TRIGGER, body)).toEqual(
      other(`org.tron.core.services.http.JsonFormat$ParseException : 1:${place}: INVALID hex String`),
    );
    const decoder = 'org.bouncycastle.util.encoders.DecoderException : exception decoding Hex string';
    for (const route of ROUTES)
      expect((await refusal(route, { ...fields(), parameter: 'xy' }))[1]).toContain(`class ${decoder}`);
    expect((await refusal(TRIGGER, 'text'))[1]).toContain('class org.tron.json.JSONException');
    const empty = await fetch(`${chain.chain.url}/${TRIGGER}`, { method: 'POST' });
    expect(await empty.json()).toMatchObject({ result: { code: 'OTHER_ERROR' } });
  });
});
