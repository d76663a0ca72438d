import { utils } from 'tronweb';
import type { Contract } from '../kinds/contract';

const HEX = /^[0-9A-F]+$/;

interface Decoded {
  readonly contract: readonly [
    { readonly parameter: { value: Record<string, unknown>; type_url: string }; type: string; Permission_id?: number },
  ];
  readonly ref_block_bytes: string;
  readonly ref_block_hash: string;
  readonly expiration: number;
  readonly timestamp: number;
  readonly fee_limit?: number;
}

/**
 * The JSON of signed bytes as it was when they were built. tronweb reads fields back that were never set, with their empty values, and
 * hex in capitals: a node would have to make the same bytes of them, so none of that is sent.
 */
export function rawDataJson(contract: Contract, rawDataHex: string): Record<string, unknown> {
  const decoded = utils.deserializeTx.deserializeTransaction(contract.name, rawDataHex) as unknown as Decoded;
  const [{ parameter, type, Permission_id: permission = 0 }] = decoded.contract;
  return {
    contract: [
      {
        parameter: { value: given(parameter.value), type_url: parameter.type_url },
        type,
        ...(permission > 0 && { Permission_id: permission }),
      },
    ],
    ref_block_bytes: lowerCase(decoded.ref_block_bytes),
    ref_block_hash: lowerCase(decoded.ref_block_hash),
    expiration: decoded.expiration,
    timestamp: decoded.timestamp,
    ...(decoded.fee_limit && { fee_limit: decoded.fee_limit }),
  };
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  const set = Object.entries(fields).filter(([, value]) => value !== false && value !== 0);
  return Object.fromEntries(
    set.map(([name, value]) => {
      if (Array.isArray(value)) return [name, value.map((one) => given(one as Record<string, unknown>))];
      return [name, name.endsWith('_address') || name === 'data' ? lowerCase(value) : value];
    }),
  );
}

function lowerCase(text: unknown): unknown {
  return typeof text === 'string' && HEX.test(text) ? text.toLowerCase() : text;
}
