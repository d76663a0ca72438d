import type { Block } from '../chain/block.model';
import type { Json, JsonObject } from '../protobuf/json.printer';
import { printBlock, printHeader } from './block.printer';
import { BLOCK_REQUEST, NUMBER_REQUEST, RANGE_REQUEST, VALUE_REQUEST } from './request.schema';
import { PlainError, readRequest, type Route, type RouteRequest } from './route.model';
import { printInfo } from './transaction.printer';

const MOST_BLOCKS = 100n;
const isInt64 = (text: string): boolean => /^[+-]?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

const printed = (request: RouteRequest, block: Block | undefined, detail = true): JsonObject => {
  if (!block) return {};
  return detail ? printBlock(request.view, block, request.visible) : printHeader(block, request.visible);
};
const byHeight = (request: RouteRequest): Block | undefined => {
  const { num } = readRequest(request, NUMBER_REQUEST);
  return num < 0n ? undefined : request.view.findBlock(Number(num));
};

function blockByEither(request: RouteRequest): JsonObject {
  const { id_or_num: which, detail } = readRequest(request, BLOCK_REQUEST);
  if (which === '') return printed(request, request.view.head, detail);
  if (isInt64(which)) {
    if (BigInt(which) < 0n) throw new PlainError('num must be non-positive number.');
    return printed(request, request.view.findBlock(Number(which)), detail);
  }
  if (!/^[0-9a-fA-F]{64}$/.test(which)) throw new PlainError('id must be legal block hash.');
  return printed(request, request.view.findBlockById(which.toLowerCase()), detail);
}

function range(request: RouteRequest): JsonObject {
  const { startNum, endNum } = readRequest(request, RANGE_REQUEST);
  const count = BigInt.asIntN(64, endNum - startNum);
  if (endNum <= 0n || endNum <= startNum || count <= 0n || count > MOST_BLOCKS) return {};
  // The node looks for the bytes of the number, and those of a negative one come after all blocks.
  if (startNum < 0n) return { block: [] };
  return { block: request.view.listBlocks(Number(startNum), Number(endNum)).map((block) => printed(request, block)) };
}

function newest(request: RouteRequest): JsonObject {
  const { num } = readRequest(request, NUMBER_REQUEST);
  if (num <= 0n || num >= MOST_BLOCKS) return {};
  const end = request.view.head.height + 1;
  return {
    block: request.view.listBlocks(Math.max(0, end - Number(num)), end).map((block) => printed(request, block)),
  };
}

function infos(request: RouteRequest): Json {
  const block = byHeight(request);
  if (!block || block.height === 0) return [];
  return request.view.listTransactions(block.height).map((tx) => printInfo(tx, block.timestamp));
}

const counted = (request: RouteRequest): JsonObject => {
  const block = byHeight(request);
  return { count: block ? request.view.listTransactions(block.height).length : 0 };
};

export const blockRoutes: readonly Route[] = [
  { name: 'getnowblock', twin: true, bodyless: true, answer: (request) => printed(request, request.view.head) },
  { name: 'getblock', twin: true, answer: blockByEither },
  { name: 'getblockbynum', twin: true, answer: (request) => printed(request, byHeight(request)) },
  {
    name: 'getblockbyid',
    twin: true,
    answer: (request) =>
      printed(request, request.view.findBlockById(readRequest(request, VALUE_REQUEST).value.toString('hex'))),
  },
  { name: 'getblockbylimitnext', twin: true, answer: range },
  { name: 'getblockbylatestnum', twin: true, answer: newest },
  { name: 'gettransactioninfobyblocknum', twin: true, answer: infos },
  { name: 'gettransactioncountbyblocknum', twin: true, answer: counted },
];
