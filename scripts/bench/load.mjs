import autocannon from 'autocannon';

/** Until the compilers of JavaScript and of statements have seen what is measured. */
export const WARM_UP_SECONDS = 4;

/** Warms up, then measures; refused answers are counted apart, for they are no work done. */
export async function runLoad(url, { connections, seconds }, requests) {
  const warmUp = await once(url, connections, WARM_UP_SECONDS, requests);
  const result = await once(url, connections, seconds, requests);
  const answered = result['2xx'];
  return {
    perSecond: answered / result.duration,
    answered,
    all: answered + warmUp['2xx'],
    refused: result.non2xx + result.errors,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** So many requests, all answered. */
export async function runFixed(url, amount, requests) {
  const result = await autocannon({ url, connections: 10, amount, requests, timeout: 30 });
  return { answered: result['2xx'] };
}

function once(url, connections, duration, requests) {
  return autocannon({ url, connections, duration, requests, timeout: 30 });
}

/** One token a request, each in its turn. */
export function rotate(method, path, tokens, bodyOf) {
  let index = 0;
  return {
    method,
    path,
    setupRequest(request) {
      const turn = index++;
      const headers = { authorization: `Bearer ${tokens[turn % tokens.length]}` };
      if (!bodyOf) return { ...request, headers };
      return { ...request, headers: { ...headers, 'content-type': 'application/json' }, body: bodyOf(turn) };
    },
  };
}
