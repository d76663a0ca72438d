import { type Forgery, forgeBlock } from '../../local-chain/src/control/block.forgery';
import { newWitness, ownPair, signingPair } from '../../local-chain/src/witnesses/witness.model';
import type { NodeCall } from './node-proxy';

/** A block as a node answers it, with transactions or without. */
export interface BlockJson extends Record<string, unknown> {
  blockID: string;
  block_header: {
    raw_data: Record<string, unknown> & { number: number; timestamp: number };
    witness_signature: string;
  };
  transactions?: { txID: string; raw_data_hex: string }[] | undefined;
}

export const TWO_HOURS_MS = 7_200_000;
export const STRANGER_ID = 'ab'.repeat(32);
/** Key of an account that was never elected on a local chain. */
export const FOREIGN_KEY = '17'.repeat(32);

/** The n-th witness of a local chain, from 1: its address, and the key that signs its blocks. */
export function witnessOf(n: number): { address: Buffer; key: string } {
  const witness = newWitness(n);
  return { address: ownPair(witness).address, key: signingPair(witness).key };
}

export function forge(block: BlockJson, forgery: Forgery): BlockJson {
  const forged = forgeBlock(block as never, forgery);
  const text = JSON.stringify(forged, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
  return JSON.parse(text) as BlockJson;
}

/** Whether a call is answered with blocks or headers, and not with the one that tells chains apart. */
export function asksForBlocks({ route, body }: NodeCall): boolean {
  return /\/getblock(?:by.*)?$/.test(route) && body['num'] !== 0;
}

export function asksForHead({ route, body }: NodeCall): boolean {
  return route === 'wallet/getblock' && body['id_or_num'] === undefined;
}

/** Changes each block of an answer, one or a range. */
export function editBlocks(answer: string, edit: (block: BlockJson) => BlockJson): string {
  const json = JSON.parse(answer) as Partial<BlockJson> & { block?: BlockJson[] };
  if (json.block) return JSON.stringify({ ...json, block: json.block.map(edit) });
  return json.blockID === undefined ? answer : JSON.stringify(edit(json as BlockJson));
}

/** Whether this answer has the block, with its transactions. */
export function showsBlock(call: NodeCall, answer: string, number: number | null): boolean {
  let isShown = false;
  if (asksForBlocks(call) && call.body['detail'] !== false)
    editBlocks(answer, (block) => {
      isShown ||= block.block_header.raw_data.number === number;
      return block;
    });
  return isShown;
}
