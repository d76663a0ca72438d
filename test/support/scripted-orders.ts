import type { Scripted } from './scripted-service';

/** What the client of `clients/typescript` orders in its specs. */
export const REQUEST = { receiver_address: 'TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb', amount: 1 };
export const DELEGATED: Scripted = {
  status: 200,
  headers: { 'X-Delegation-Id': 'an-order', 'X-Delegation-State': 'included' },
  body: { success: true, message: '委托成功', txid: 'ab'.repeat(32) },
};
/** A refusal of the service itself. */
export const failure = (status: number, code: string, headers: Record<string, string> = {}): Scripted => ({
  status,
  headers: { 'X-Error-Code': code, 'X-Request-Id': 'a-request', ...headers },
  body: { success: false, error: `the text of ${code}` },
});

export const refusalOf = (order: Promise<unknown>) =>
  order.then(
    () => null,
    (error: unknown) => error,
  );
