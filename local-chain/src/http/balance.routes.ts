import type { JsonObject } from '../protobuf/json.printer';
import { compact } from './compact.json';
import { BALANCE_REQUEST } from './request.schema';
import { JavaError, readRequest, type Route, type RouteRequest } from './route.model';

const HASH_BYTES = 32;

const wrong = (message: string): JavaError => new JavaError('java.lang.IllegalArgumentException', message);

/** What an account had at a block: nothing, as from every node that does not keep the history of balances, which none does unless asked. */
function balanceAt(request: RouteRequest): JsonObject {
  const { account_identifier: account, block_identifier: block } = readRequest(request, BALANCE_REQUEST);
  if (!account) throw wrong('account_identifier is null');
  if (account.address.length === 0) throw wrong('account_identifier address is null');
  if (!block) throw wrong('block_identifier null');
  if (block.number < 0n) throw wrong('block_identifier number less than 0');
  if (block.hash.length !== HASH_BYTES) throw wrong('block_identifier hash length not equals 32');
  const found = request.view.findBlock(Number(block.number));
  if (!found)
    throw new JavaError('org.tron.core.exception.ItemNotFoundException', `number: ${block.number} is not found!`);
  const hash = block.hash.toString('hex');
  if (found.id !== hash) throw wrong('number and hash do not match');
  return { block_identifier: compact({ hash, number: block.number }) };
}

export const balanceRoutes: readonly Route[] = [
  { name: 'getaccountbalance', postOnly: true, spaced: true, answer: balanceAt },
];
