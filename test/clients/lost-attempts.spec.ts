import {
  EnergyClient,
  type EnergyClientOptions,
  EnergyError,
  NoAnswerError,
} from '../../clients/typescript/src/index.ts';
import { DELEGATED, failure, refusalOf, REQUEST } from '../support/scripted-orders';
import { type Scripted, ScriptedService } from '../support/scripted-service';

/** The service begins to write no order later than 10 s after its call came. */
const DECIDED_MS = 30_000;

describe('an order of the TypeScript client', () => {
  const service = new ScriptedService();
  let waits: number[];
  beforeAll(() => service.open());
  afterAll(() => service.close());
  beforeEach(() => {
    service.received.length = 0;
    waits = [];
  });

  const clientWith = (options: Partial<EnergyClientOptions> = {}) =>
    new EnergyClient({ baseUrl: service.url, token: 'eds_', wait: async (ms) => void waits.push(ms), ...options });

  it.each<[string, Scripted]>([
    ['401, given before the key is looked at', failure(401, 'UNAUTHENTICATED')],
    ['401 for the address', failure(401, 'PERMISSION_DENIED')],
    ['429 that may last longer than it waits', failure(429, 'RATE_LIMITED', { 'Retry-After': '600' })],
    ['500 without an order', failure(500, 'INTERNAL', { 'Retry-After': '600' })],
  ])('is not known to have failed when an attempt was lost and the next one is answered %s', async (_, answer) => {
    for (const lost of ['cut', { status: 504 }] as const) {
      service.answers = [lost, answer];
      const error = await refusalOf(clientWith().delegate(REQUEST, { idempotencyKey: 'my-key' }));
      expect(error).toBeInstanceOf(NoAnswerError);
      expect(error).toMatchObject({ idempotencyKey: 'my-key', cause: { code: answer.headers!['X-Error-Code'] } });
    }
    service.answers = [answer];
    expect(await refusalOf(clientWith().delegate(REQUEST))).toBeInstanceOf(EnergyError);
  });

  it.each([
    'VALIDATION_FAILED',
    'MALFORMED_BODY',
    'UNSUPPORTED_MEDIA_TYPE',
    'BODY_TOO_LARGE',
    'IDEMPOTENCY_KEY_INVALID',
    'A_CODE_TO_COME',
  ])('is not known to have failed when an attempt was lost and the next one is answered 400 %s', async (code) => {
    service.answers = ['cut', failure(400, code)];
    const error = await refusalOf(clientWith().delegate(REQUEST, { idempotencyKey: 'my-key' }));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ idempotencyKey: 'my-key', cause: { code } });
    expect(service.received).toHaveLength(2);
  });

  it.each<[string, Scripted]>([
    ['its own failure', failure(500, 'OUTCOME_UNKNOWN', { 'X-Delegation-Id': 'an-order' })],
    ['its own want of stake', failure(501, 'INSUFFICIENT_ENERGY', { 'X-Delegation-Id': 'an-order' })],
    ['the word that another order has its key', failure(400, 'IDEMPOTENCY_KEY_REUSED')],
  ])('has failed when an attempt was lost and the next one is answered with %s', async (_, answer) => {
    service.answers = ['cut', answer];
    const error = await refusalOf(clientWith().delegate(REQUEST, { idempotencyKey: 'my-key' }));
    expect(error).toBeInstanceOf(EnergyError);
    expect(service.received).toHaveLength(2);
  });

  describe('that is refused without an order, while a lost attempt may still place it,', () => {
    const REFUSALS: [string, Scripted][] = [
      ['501 for the balance', failure(501, 'INSUFFICIENT_BALANCE')],
      ['400 for the receiver', failure(400, 'RECEIVER_NOT_ACTIVATED')],
      ['400 for its cost', failure(400, 'COST_ABOVE_MAX')],
    ];

    it.each(REFUSALS)('is sent again once that is decided, and then has failed: %s', async (_, answer) => {
      service.answers = ['cut', answer];
      expect(await refusalOf(clientWith().delegate(REQUEST))).toBeInstanceOf(EnergyError);
      expect(service.received).toHaveLength(3);
      expect(waits[0]! + waits[1]!).toBeCloseTo(DECIDED_MS);
    });

    it.each(REFUSALS)('is known as placed where the lost attempt has placed it: %s', async (_, answer) => {
      service.answers = [{ status: 504 }, answer, DELEGATED];
      expect(await clientWith().delegate(REQUEST)).toMatchObject({ delegationId: 'an-order' });
    });

    it('waits as long after each attempt that is lost', async () => {
      const answer = failure(501, 'INSUFFICIENT_BALANCE');
      service.answers = ['cut', answer, 'cut', answer];
      expect(await refusalOf(clientWith({ patienceMs: 3 * DECIDED_MS }).delegate(REQUEST))).toBeInstanceOf(EnergyError);
      expect(waits[2]! + waits[3]!).toBeCloseTo(DECIDED_MS);
    });

    it.each<[string, Partial<EnergyClientOptions>]>([
      ['patience', { patienceMs: DECIDED_MS - 1 }],
      ['attempts', { attempts: 2 }],
    ])('is not known to have failed where the client has too little left: %s', async (_, options) => {
      service.answers = ['cut', failure(501, 'INSUFFICIENT_BALANCE')];
      const error = await refusalOf(clientWith(options).delegate(REQUEST, { idempotencyKey: 'my-key' }));
      expect(error).toMatchObject({ name: 'NoAnswerError', cause: { code: 'INSUFFICIENT_BALANCE' } });
    });

    it('is sent again also where that attempt was of an earlier call', async () => {
      const client = clientWith({ attempts: 2 });
      service.answers = ['cut'];
      expect(await refusalOf(client.delegate(REQUEST, { idempotencyKey: 'my-key' }))).toBeInstanceOf(NoAnswerError);
      service.answers = [failure(501, 'INSUFFICIENT_BALANCE'), DELEGATED];
      const again = await client.delegate(REQUEST, { idempotencyKey: 'my-key' });
      expect(again).toMatchObject({ delegationId: 'an-order' });
      service.answers = [failure(501, 'INSUFFICIENT_BALANCE')];
      const other = await refusalOf(client.delegate(REQUEST, { idempotencyKey: 'another-key' }));
      expect(other).toBeInstanceOf(EnergyError);
    });
  });
});
