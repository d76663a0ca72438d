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
import { ROUTES } from '../http/route.table';
import { printJson } from '../protobuf/lossless.json';
import { FORGED_ROUTES, FORGERIES, forgeAnswer, type Forger } from './block.faults';
import type { Fault, FaultKind } from './fault.plan';

const outcome = (code: string, message: string): BroadcastOutcome => ({ code, message });

/** What a broadcast answers: the node's message for a code, with a made-up cause where the message names the cause. */
const OUTCOMES: Partial<Record<FaultKind, BroadcastOutcome>> = {
  'accept-then-drop': outcome('SUCCESS', ''),
  'p2p-failed': outcome('NOT_ENOUGH_EFFECTIVE_CONNECTION', 'P2P broadcast failed.'),
  dup: outcome('DUP_TRANSACTION_ERROR', 'Transaction already exists.'),
  busy: outcome('SERVER_BUSY', 'Server busy.'),
  SIGERROR: outcome('SIGERROR', 'Validate signature error: sig error'),
  CONTRACT_VALIDATE_ERROR: outcome('CONTRACT_VALIDATE_ERROR', 'Contract validate error : asked for by a fault'),
  CONTRACT_EXE_ERROR: outcome('CONTRACT_EXE_ERROR', 'Contract execute error : asked for by a fault'),
  BANDWITH_ERROR: outcome('BANDWITH_ERROR', 'Account resource insufficient error.'),
  DUP_TRANSACTION_ERROR: outcome('DUP_TRANSACTION_ERROR', 'Dup transaction.'),
  TAPOS_ERROR: outcome('TAPOS_ERROR', 'Tapos check error.'),
  TOO_BIG_TRANSACTION_ERROR: outcome('TOO_BIG_TRANSACTION_ERROR', 'Too big transaction, the size is 512001 bytes'),
  TRANSACTION_EXPIRATION_ERROR: outcome('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired'),
  SERVER_BUSY: outcome('SERVER_BUSY', 'Server busy.'),
  NO_CONNECTION: outcome('NO_CONNECTION', 'No connection.'),
  NOT_ENOUGH_EFFECTIVE_CONNECTION: outcome(
    'NOT_ENOUGH_EFFECTIVE_CONNECTION',
    'Effective connection:0 lt minEffectiveConnection:1',
  ),
  BLOCK_UNSOLIDIFIED: outcome('BLOCK_UNSOLIDIFIED', 'Block unsolidified.'),
  OTHER_ERROR: outcome('OTHER_ERROR', 'Error: asked for by a fault'),
};

const json = (status: number, error: string): HttpAnswer => ({
  status,
  type: 'application/json',
  body: printJson({ Error: error }),
});

const NO_CONSTANT = Buffer.from('this node does not support constant').toString('hex');

const PAGES: Partial<Record<FaultKind, HttpAnswer>> = {
  '500': html(500, 'Server Error'),
  '503': html(503, 'Service Unavailable'),
  '429': json(429, 'Too Many Requests'),
  '403': json(403, 'The key exceeds the frequency limit(15), and the query server is suspended for 30s'),
  html: {
    ...html(200, 'OK'),
    body: '<html><head><title>Just a moment...</title></head><body>checking your browser</body></html>\n',
  },
  'html-403': html(403, 'Forbidden'),
  'html-429': html(429, 'Too Many Requests'),
  'no-constant-calls': {
    status: 200,
    type: 'application/json',
    body: printJson({ result: { code: 'CONTRACT_VALIDATE_ERROR', message: NO_CONSTANT } }),
  },
  'rate-limited': printError(new JavaError('java.lang.IllegalAccessException', 'lack of computing resources')),
};

const BROADCASTS = ['wallet/broadcasttransaction', 'wallet/broadcasthex'];
const CONSTANT_CALLS = ['wallet/triggerconstantcontract', 'walletsolidity/triggerconstantcontract'];
const isBroadcast = (path: string): boolean => BROADCASTS.includes(path);

/** Where a kind makes sense; undefined: everywhere. */
const limitsOf = (kind: FaultKind): readonly string[] | undefined => {
  if (kind in OUTCOMES) return BROADCASTS;
  if (kind === 'no-constant-calls') return CONSTANT_CALLS;
  return kind in FORGERIES ? FORGED_ROUTES : undefined;
};
export const routesOf = (kind: FaultKind): readonly string[] => limitsOf(kind) ?? [...ROUTES.keys()];
export const fitsRoute = (kind: FaultKind, path: string): boolean => routesOf(kind).includes(path);

/** Why the node would not have taken it, fault or not. */
function refusalOf(tx: ChainTransaction, request: RouteRequest, doomed: boolean): BroadcastOutcome | undefined {
  try {
    request.sight.broadcast(tx, doomed);
    return undefined;
  } catch (error) {
    if (error instanceof TransactionRefusedError) return error;
    throw error;
  }
}

function answerBroadcast(path: string, request: RouteRequest, { kind, doneFirst }: Fault): HttpAnswer {
  const byHex = path.endsWith('hex');
  const tx = byHex ? transactionOfHex(request) : transactionOfBody(request);
  const doomed = kind === 'accept-then-drop';
  const told = (doneFirst || doomed ? refusalOf(tx, request, doomed) : undefined) ?? OUTCOMES[kind]!;
  const body = byHex ? printHexOutcome(told, tx) : printOutcome(told, tx.id, request.visible);
  return { status: 200, type: 'application/json;charset=utf-8', body: printJson(body) };
}

function cut(response: ServerResponse, { body, type, status }: HttpAnswer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, Math.ceil(body.length / 2)), () => response.destroy());
}

function honest(path: string, request: RouteRequest): HttpAnswer {
  try {
    return answerCall(path, request);
  } catch (error) {
    return printError(error);
  }
}

const answerForged = (path: string, request: RouteRequest, forger: Forger): HttpAnswer =>
  answerCall(path, request, (answer) => forgeAnswer(request, answer, forger));

const UNSAID: HttpAnswer = { status: 200, type: 'application/json', body: '{"result":true,"txid":""}' };

/** Answers a call as the fault has it; undefined when nothing, or only a part, is to be sent. */
export function answerFaulty(
  path: string,
  request: RouteRequest,
  fault: Fault,
  response: ServerResponse,
): HttpAnswer | undefined {
  const { kind, doneFirst } = fault;
  if (kind in OUTCOMES) return answerBroadcast(path, request, fault);
  if (kind === 'lag') return honest(path, request);
  if (FORGERIES[kind]) return answerForged(path, request, FORGERIES[kind]);
  const isCutRead = kind === 'cut' && !isBroadcast(path);
  const answer = doneFirst || isCutRead ? honest(path, request) : undefined;
  if (kind === 'reset') response.socket?.resetAndDestroy();
  if (kind === 'cut') cut(response, answer ?? UNSAID);
  return PAGES[kind];
}
