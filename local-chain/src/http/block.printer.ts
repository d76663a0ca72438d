import { BLOCK_SIGNATURE_BYTES, type Block } from '../chain/block.model';
import type { ChainView } from '../chain/chain.view';
import { printMessage, type JsonObject } from '../protobuf/json.printer';
import { POST_QUANTUM_SIGNATURE } from '../protobuf/post-quantum.schema';
import { HEADER_RAW } from '../protobuf/transaction.schema';
import { decode } from '../protobuf/wire.codec';
import { compact } from './compact.json';
import { printIncluded } from './transaction.printer';

/** The genesis block names as its witness a text, which must not be shown as an address. */
const header = (block: Block, visible: boolean): JsonObject =>
  printMessage(HEADER_RAW, decode(HEADER_RAW, block.header), visible && block.height > 0);

function signatureOf({ signature }: Block, visible: boolean): JsonObject {
  if (signature.length <= BLOCK_SIGNATURE_BYTES) return compact({ witness_signature: signature.toString('hex') });
  return { pq_auth_sig: printMessage(POST_QUANTUM_SIGNATURE, decode(POST_QUANTUM_SIGNATURE, signature), visible) };
}

export function printHeader(block: Block, visible: boolean): JsonObject {
  return {
    blockID: block.id,
    block_header: {
      raw_data: header(block, visible),
      ...signatureOf(block, visible),
    },
  };
}

export function printBlock(view: ChainView, block: Block, visible: boolean): JsonObject {
  const transactions = view.listTransactions(block.height).map((included) => printIncluded(included, visible));
  return { ...printHeader(block, visible), ...compact({ transactions }) };
}
