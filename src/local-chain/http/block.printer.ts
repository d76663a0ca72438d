import type { Block } from '../chain/block.model';
import type { ChainView } from '../chain/chain.view';
import { printMessage, type JsonObject } from '../protobuf/json.printer';
import { HEADER_RAW } from '../protobuf/transaction.schema';
import { decode } from '../protobuf/wire.codec';
import { compact } from './compact.json';
import { printIncluded } from './transaction.printer';

/** The genesis block names as its witness a text, which is no address to be shown as one. */
const header = (block: Block, visible: boolean): JsonObject =>
  printMessage(HEADER_RAW, decode(HEADER_RAW, block.header), visible && block.height > 0);

export function printHeader(block: Block, visible: boolean): JsonObject {
  return {
    blockID: block.id,
    block_header: {
      raw_data: header(block, visible),
      ...compact({ witness_signature: block.signature.toString('hex') }),
    },
  };
}

export function printBlock(view: ChainView, block: Block, visible: boolean): JsonObject {
  const transactions = view.listTransactions(block.height).map((included) => printIncluded(included, visible));
  return { ...printHeader(block, visible), ...compact({ transactions }) };
}
