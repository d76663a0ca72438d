import { DepositTimeoutError, NoAnswerError, OrderStateError, WaitTimeoutError } from './errors.ts';
import { Http, type HttpOptions } from './http.ts';
import { progress } from './order-states.ts';
import type {
  Balance,
  Delegated,
  DelegateRequest,
  Deposit,
  DepositAddress,
  DepositFilter,
  Order,
  OrderFilter,
  OrderPage,
  OrderState,
  Quote,
  QuoteRequest,
  Receipt,
  Token,
} from './types.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
}
export interface DelegateOptions extends CallOptions {
  /** By itself a new one for each call. Give your own, stored with your payment, and even a restart of yours orders only once. */
  readonly idempotencyKey?: string;
}
export interface WaitOptions extends CallOptions {
  /** 5 minutes by itself: an order is final about a minute after its block. */
  readonly timeoutMs?: number;
  /** Between two looks, 3 s by itself: a block. Each look counts in the limit of calls. */
  readonly everyMs?: number;
}

/** As many as the service gives at once. */
const DEPOSITS_A_LOOK = 100;

/** One account at one service. Every call is repeated after a time-out, a 429, a 5xx or what is no answer of the service, as often as the options allow. */
export class EnergyClient {
  private readonly http: Http;

  constructor(options: HttpOptions) {
    this.http = new Http(options);
  }

  /**
   * Orders energy. Repeats carry the same `Idempotency-Key`, so that it is ordered and charged once at most.
   * @throws EnergyError the service's own refusal: not charged. NoAnswerError for all else, a gateway's 5xx and an empty 200 too: resolve it by
   * its `idempotencyKey`
   */
  async delegate(request: DelegateRequest, options: DelegateOptions = {}): Promise<Delegated> {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    const { headers, body } = await this.http.call({
      method: 'POST',
      path: '/api/chain/delegate-resource',
      body: request,
      idempotencyKey,
      signal: options.signal,
      answers: 'txid',
    });
    const { txid, cost } = body as { txid: string; cost?: number };
    return {
      delegationId: headers.get('x-delegation-id') ?? (await this.findId(txid, idempotencyKey, options)),
      txid,
      state: headers.get('x-delegation-state') === 'included' ? 'included' : 'accepted',
      ...(cost !== undefined && { cost }),
      idempotencyKey,
    };
  }

  /** What an order would be and cost now; it reserves nothing. */
  async quote({ value, only_missing, ...request }: QuoteRequest, options: CallOptions = {}): Promise<Quote> {
    const query = {
      ...request,
      ...(value !== undefined && { value: String(value) }),
      ...(only_missing !== undefined && { only_missing: only_missing ? '1' : '0' }),
    };
    return this.read<Quote>('/api/chain/quote', query, options);
  }

  /** What can be spent now. The service answers it once in 5 seconds; a second call waits for that. */
  balance(options: CallOptions = {}): Promise<Balance> {
    return this.read<Balance>('/api/user/balance', {}, options);
  }

  /** Where to pay in, and on what terms. The first call makes the address, which never changes; the service refuses while it has no deposits. */
  depositAddress(options: CallOptions = {}): Promise<DepositAddress> {
    return this.read<DepositAddress>('/api/user/deposit-address', {}, options);
  }

  /** Newest first; the id of the last one is the `before` of the next page. */
  deposits(filter: DepositFilter = {}, options: CallOptions = {}): Promise<Deposit[]> {
    return this.read<Deposit[]>('/api/user/deposits', { ...filter }, options);
  }

  /**
   * Until the payment by this transaction is decided: `credited`, `too_small`, or `waiting` for an operator. One that a fork has dropped may
   * come again in another block.
   * @throws DepositTimeoutError
   */
  async waitForDeposit(txid: string, options: WaitOptions = {}): Promise<Deposit> {
    const { timeoutMs = 300_000, everyMs = 3_000, signal } = options;
    const endMs = performance.now() + timeoutMs;
    // After the first look through all of them, a payment that was not there comes as one of the newest.
    let [found, isFirst] = [undefined as Deposit | undefined, true];
    for (;;) {
      found = (await this.findDeposit(txid, isFirst || found !== undefined, options)) ?? found;
      if (found && found.state !== 'seen' && found.state !== 'dropped') return found;
      isFirst = false;
      if (performance.now() + everyMs > endMs) throw new DepositTimeoutError(txid, found);
      await this.http.pause(everyMs, signal);
    }
  }

  /** What this token may do, and what it has used today. */
  token(options: CallOptions = {}): Promise<Token> {
    return this.read<Token>('/api/user/token', {}, options);
  }

  async order(id: string, options: CallOptions = {}): Promise<Order> {
    return this.read<Order>(pathOf(id), {}, options);
  }

  /** What proves a final order's delegation to anyone; until then it is not found. */
  async receipt(id: string, { signal }: CallOptions = {}): Promise<Receipt> {
    const path = `${pathOf(id)}/receipt`;
    return (await this.http.call({ method: 'GET', path, query: {}, signal, answers: 'data' }))
      .body as unknown as Receipt;
  }

  /** Newest first; `next_before` is the `before` of the next page. */
  async orders(filter: OrderFilter = {}, { signal }: CallOptions = {}): Promise<OrderPage> {
    const { body } = await this.http.call({
      method: 'GET',
      path: '/api/chain/delegations',
      query: filter,
      signal,
      answers: 'data',
    });
    const { data, next_before } = body as unknown as OrderPage;
    return { data, next_before };
  }

  /**
   * Until the order is in this state or has passed it: `delegated` is final and charged.
   * @throws OrderStateError when that state cannot come any more; WaitTimeoutError
   */
  async waitFor(id: string, state: OrderState, options: WaitOptions = {}): Promise<Order> {
    const { timeoutMs = 300_000, everyMs = 3_000, signal } = options;
    const endMs = performance.now() + timeoutMs;
    for (;;) {
      const order = await this.order(id, options);
      const came = progress(order.state, state);
      if (came === 'reached') return order;
      if (came === 'never') throw new OrderStateError(order, state);
      if (performance.now() + everyMs > endMs) throw new WaitTimeoutError(order, state);
      await this.http.pause(everyMs, signal);
    }
  }

  private async findDeposit(txid: string, inAll: boolean, options: CallOptions): Promise<Deposit | undefined> {
    for (let before: string | undefined; ;) {
      const page = await this.deposits({ limit: DEPOSITS_A_LOOK, ...(before !== undefined && { before }) }, options);
      const found = page.find((deposit) => deposit.txid === txid);
      if (found || !inAll || page.length < DEPOSITS_A_LOOK) return found;
      before = page.at(-1)!.id;
    }
  }

  /** Where something in between keeps the service's headers to itself. */
  private async findId(txid: string, idempotencyKey: string, options: CallOptions): Promise<string> {
    const { data } = await this.orders({ txid }, options).catch((cause: unknown) => {
      throw new NoAnswerError(cause, idempotencyKey);
    });
    const [order] = data;
    if (order) return order.id;
    throw new NoAnswerError(new Error(`${txid} was delegated, and no order has it`), idempotencyKey);
  }

  private async read<Data>(
    path: string,
    query: Readonly<Record<string, string | number | undefined>>,
    { signal }: CallOptions,
  ): Promise<Data> {
    const { body } = await this.http.call({ method: 'GET', path, query, signal, answers: 'data' });
    return body['data'] as Data;
  }
}

/** Without an id it would be the list's, and `.` and `..` would lead elsewhere. */
function pathOf(id: string): string {
  if (!/^[\w-]+$/.test(id)) throw new TypeError(`"${id}" is not an order id`);
  return `/api/chain/delegations/${id}`;
}
