import { TransactionRefusedError } from '../chain/transaction.errors';
import { ChainTransaction } from '../chain/transaction.model';
import { bytesOfHex } from '../protobuf/json.parser';
import { printMessage, type JsonObject } from '../protobuf/json.printer';
import { printJson } from '../protobuf/lossless.json';
import { TRANSACTION } from '../protobuf/transaction.schema';
import type { Route, RouteRequest } from './route.model';
import { packTransaction } from './transaction.packer';

/** What a broadcast is answered: success, or one of the node's codes with its message. */
export interface BroadcastOutcome {
  code: string;
  message: string;
}
const SUCCESS: BroadcastOutcome = { code: 'SUCCESS', message: '' };

function broadcast({ sight }: RouteRequest, tx: ChainTransaction): BroadcastOutcome {
  try {
    sight.broadcast(tx);
    return SUCCESS;
  } catch (error) {
    if (error instanceof TransactionRefusedError) return error;
    throw error;
  }
}

/** Success is all that a success says; a refusal's message is hex unless text was asked for. */
export function printOutcome({ code, message }: BroadcastOutcome, txid: string, visible: boolean): JsonObject {
  if (code === 'SUCCESS') return { result: true, txid };
  return { code, txid, message: visible ? message : Buffer.from(message, 'utf8').toString('hex') };
}

export function printHexOutcome({ code, message }: BroadcastOutcome, tx: ChainTransaction): JsonObject {
  const transaction = printJson(printMessage(TRANSACTION, tx.signed, true), ' ');
  return { result: code === 'SUCCESS', code, message, transaction, txid: tx.id };
}

export const transactionOfBody = (request: RouteRequest): ChainTransaction =>
  new ChainTransaction(packTransaction(request.json, request.visible));

export function transactionOfHex(request: RouteRequest): ChainTransaction {
  const hex = request.json?.['transaction'];
  return ChainTransaction.parse(bytesOfHex(typeof hex === 'string' ? hex : ''));
}

export const broadcastRoutes: readonly Route[] = [
  {
    name: 'broadcasttransaction',
    postOnly: true,
    answer(request) {
      const tx = transactionOfBody(request);
      return printOutcome(broadcast(request, tx), tx.id, request.visible);
    },
  },
  {
    name: 'broadcasthex',
    postOnly: true,
    answer(request) {
      const tx = transactionOfHex(request);
      return printHexOutcome(broadcast(request, tx), tx);
    },
  },
];
