import type { JsonObject } from '../protobuf/json.printer';
import { VALUE_REQUEST } from './request.schema';
import { readRequest, type Route, type RouteRequest } from './route.model';
import { printIncluded, printInfo, printTransaction } from './transaction.printer';

const idOf = (request: RouteRequest): string => readRequest(request, VALUE_REQUEST).value.toString('hex');

function pending(request: RouteRequest, id: string): JsonObject | undefined {
  const tx = request.sight.findPending(id);
  return tx && printTransaction(tx, { visible: request.visible, ret: request.node.pool.resultOf(id) });
}

function transaction(request: RouteRequest): JsonObject {
  const id = idOf(request);
  const included = request.view.findTransaction(id);
  if (!included) return (request.solid ? undefined : pending(request, id)) ?? {};
  return printIncluded(included, request.visible);
}

function info(request: RouteRequest): JsonObject {
  const included = request.view.findTransaction(idOf(request));
  if (!included || included.height === 0) return {};
  return printInfo(included, request.view.findBlock(included.height)!.timestamp);
}

const pendingIds = ({ sight }: RouteRequest): JsonObject => {
  const ids = sight.pending.map(({ id }) => id);
  return ids.length ? { txId: ids } : {};
};

export const transactionRoutes: readonly Route[] = [
  { name: 'gettransactionbyid', twin: true, answer: transaction },
  { name: 'gettransactioninfobyid', twin: true, answer: info },
  { name: 'gettransactionfrompending', answer: (request) => pending(request, idOf(request)) ?? {} },
  { name: 'gettransactionlistfrompending', bodyless: true, answer: pendingIds },
  { name: 'getpendingsize', bodyless: true, answer: ({ sight }) => ({ pendingSize: sight.pending.length }) },
];
