import type { ServerResponse } from 'node:http';
import { TransactionRefusedError } from '../chain/transaction.errors';
import type { ChainTransaction } from '../chain/transaction.model';
import {
  printHexOutcome,
  printOutcome,
  transactionOfBody,
  transactionOfHex,
  type BroadcastOutcome,
} from '../http/broadcast.routes';
import { answerCall, html, printError, type HttpAnswer } from '../http/node.handler';
import { JavaError, type RouteRequest } from '../http/route.model';
import { printJson } from '../protobuf/lossless.json';
import type { Fault, FaultKind } from './fault.plan';

/** The node's message for a code, where it has one of its own; a made-up cause where the message names the cause. */
const MESSAGES: Partial<Record<FaultKind, string>> = {
  SIGERROR: 'Validate signature error: sig error',
  CONTRACT_VALIDATE_ERROR: 'Contract validate error : asked for by a fault',
  CONTRACT_EXE_ERROR: 'Contract execute error : asked for by a fault',
  BANDWITH_ERROR: 'Account resource insufficient error.',
  DUP_TRANSACTION_ERROR: 'Dup transaction.',
  TAPOS_ERROR: 'Tapos check error.',
  TOO_BIG_TRANSACTION_ERROR: 'Too big transaction, the size is 512001 bytes',
  TRANSACTION_EXPIRATION_ERROR: 'Transaction expired',
  SERVER_BUSY: 'Server busy.',
  NO_CONNECTION: 'No connection.',
  NOT_ENOUGH_EFFECTIVE_CONNECTION: 'Effective connection:0 lt minEffectiveConnection:1',
  BLOCK_UNSOLIDIFIED: 'Block unsolidified.',
  OTHER_ERROR: 'Error: asked for by a fault',
};

/** A broadcast that is not pooled and answers a code. */
const REFUSALS: Partial<Record<FaultKind, BroadcastOutcome>> = {
  dup: { code: 'DUP_TRANSACTION_ERROR', message: 'Transaction already exists.' },
  busy: { code: 'SERVER_BUSY', message: 'Server busy.' },
  ...Object.fromEntries(Object.entries(MESSAGES).map(([code, message]) => [code, { code, message }])),
};

/** A broadcast that is pooled like any other, and answers what a real node answers when something fails afterwards. */
const POOLED: Partial<Record<FaultKind, BroadcastOutcome>> = {
  'accept-then-drop': { code: 'SUCCESS', message: '' },
  'p2p-failed': { code: 'NOT_ENOUGH_EFFECTIVE_CONNECTION', message: 'P2P broadcast failed.' },
  'pool-then-other-error': { code: 'OTHER_ERROR', message: 'Error: null' },
};

const STATUSES: Record<string, HttpAnswer> = {
  '500': html(500, 'Server Error'),
  '503': html(503, 'Service Unavailable'),
  '429': { status: 429, type: 'application/json', body: '{"Error":"Too Many Requests"}' },
  '403': {
    status: 403,
    type: 'application/json',
    body: '{"Error":"The key exceeds the frequency limit(15), and the query server is suspended for 30s"}',
  },
  html: {
    ...html(200, 'OK'),
    body: '<html><head><title>Just a moment...</title></head><body>checking your browser</body></html>\n',
  },
};

const isBroadcast = (path: string): boolean => /^wallet\/broadcast(transaction|hex)$/.test(path);
export const onlyForBroadcast = (kind: FaultKind): boolean => kind in REFUSALS || kind in POOLED;
export const fitsRoute = (kind: FaultKind, path: string): boolean => isBroadcast(path) || !onlyForBroadcast(kind);

function refusalOf(tx: ChainTransaction, request: RouteRequest, doomed: boolean): BroadcastOutcome | undefined {
  try {
    request.node.broadcast(tx, doomed);
    return undefined;
  } catch (error) {
    if (error instanceof TransactionRefusedError) return error;
    throw error;
  }
}

function faultyBroadcast(path: string, request: RouteRequest, kind: FaultKind): HttpAnswer {
  const byHex = path.endsWith('hex');
  const tx = byHex ? transactionOfHex(request) : transactionOfBody(request);
  const pooled = POOLED[kind];
  const outcome = REFUSALS[kind] ?? refusalOf(tx, request, kind === 'accept-then-drop') ?? pooled!;
  const body = byHex ? printHexOutcome(outcome, tx) : printOutcome(outcome, tx.id, request.visible);
  return { status: 200, type: 'application/json;charset=utf-8', body: printJson(body) };
}

function cut(response: ServerResponse, { body, type, status }: HttpAnswer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, Math.ceil(body.length / 2)), () => response.destroy());
}

const attempt = (path: string, request: RouteRequest): HttpAnswer => {
  try {
    return answerCall(path, request);
  } catch (error) {
    return printError(error);
  }
};

/** Answers a call as the fault has it. `pool-then-…` does what was asked first; without it a broadcast has no effect. */
export function answerFaulty(
  path: string,
  request: RouteRequest,
  { kind }: Fault,
  response: ServerResponse,
): HttpAnswer | undefined {
  if (onlyForBroadcast(kind)) return faultyBroadcast(path, request, kind);
  if (kind === 'lag' || kind === 'none') return attempt(path, request);
  if (kind === 'rate-limited')
    return printError(new JavaError('java.lang.IllegalAccessException', 'lack of computing resources'));
  const done = kind.startsWith('pool-then-');
  const way = done ? kind.slice('pool-then-'.length) : kind;
  const answer = done || (way === 'cut' && !isBroadcast(path)) ? attempt(path, request) : undefined;
  if (way === 'reset') response.socket?.resetAndDestroy();
  else if (way === 'cut')
    cut(response, answer ?? { status: 200, type: 'application/json', body: '{"result":true,"txid":""}' });
  else if (way !== 'timeout') return STATUSES[way];
  return undefined;
}
