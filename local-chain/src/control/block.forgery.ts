import { blockOf, blockSignature } from '../chain/block.model';
import { printHeader } from '../http/block.printer';
import { compact } from '../http/compact.json';
import { parseMessage } from '../protobuf/json.parser';
import type { Json, JsonObject } from '../protobuf/json.printer';
import { POST_QUANTUM_SIGNATURE } from '../protobuf/post-quantum.schema';
import { HEADER_RAW, type HeaderRawMessage } from '../protobuf/transaction.schema';
import { encode } from '../protobuf/wire.codec';
import { sign } from '../signing/secp256k1';

export interface Forgery {
  /** Fields that are to say something else; the id is made of what they say then. */
  header?: Partial<HeaderRawMessage>;
  /** Name of the key that signs the changed header; without it the old signature stays, which no key has made for this header. */
  key?: string;
  /** In place of the block's own, whatever the header says of them. */
  transactions?: readonly Json[];
  /** What the header's text says although the id stays that of the real header; null: a field that is not there. */
  said?: Readonly<Record<string, Json | null>>;
}

/** Another block of a block's JSON; also for tests, whose nodes may lie. */
export function forgeBlock(
  block: JsonObject,
  { header, key, transactions, said }: Forgery,
  visible = false,
): JsonObject {
  const body = transactions ?? ((block['transactions'] ?? []) as readonly Json[]);
  const forged = header ? forgeHeader(block, header, key, visible) : withoutBody(block);
  return { ...(said ? saying(forged, said) : forged), ...compact({ transactions: body }) };
}

function saying(block: JsonObject, said: Readonly<Record<string, Json | null>>): JsonObject {
  const header = block['block_header'] as JsonObject;
  const fields = { ...(header['raw_data'] as JsonObject), ...said };
  const raw = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as JsonObject;
  return { ...block, block_header: { ...header, raw_data: raw } };
}

const withoutBody = ({ transactions: _replaced, ...rest }: JsonObject): JsonObject => rest;

function forgeHeader(
  block: JsonObject,
  changes: Partial<HeaderRawMessage>,
  key: string | undefined,
  visible: boolean,
): JsonObject {
  const { raw_data: raw, witness_signature: signature, pq_auth_sig: postQuantum } = block['block_header'] as JsonObject;
  const old = postQuantum
    ? encode(POST_QUANTUM_SIGNATURE, parseMessage(POST_QUANTUM_SIGNATURE, postQuantum, visible))
    : Buffer.from((signature as string | undefined) ?? '', 'hex');
  const forged = blockOf({ ...parseMessage(HEADER_RAW, raw, visible), ...changes }, (hash) =>
    key === undefined ? old : blockSignature(sign(hash, key)),
  );
  return printHeader(forged, visible);
}
