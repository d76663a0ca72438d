import { utils } from 'tronweb';
import type { TransactionPurpose } from '../outbox/chain-transaction.entity';

const CONTRACTS: Readonly<Record<TransactionPurpose, string>> = {
  activation: 'TransferContract',
  delegation: 'DelegateResourceContract',
  reclaim: 'UnDelegateResourceContract',
};
const HEX = /^[0-9A-F]+$/;

interface Decoded {
  readonly contract: readonly [
    { readonly parameter: { value: Record<string, unknown>; type_url: string }; type: string; Permission_id?: number },
  ];
  readonly ref_block_bytes: string;
  readonly ref_block_hash: string;
  readonly expiration: number;
  readonly timestamp: number;
}

/**
 * The JSON of signed bytes as it was when they were built. tronweb reads fields back that were never set, with their empty values, and
 * hex in capitals: a node would have to make the same bytes of them, so none of that is sent.
 */
export function rawDataJson(purpose: TransactionPurpose, rawDataHex: string): Record<string, unknown> {
  const decoded = utils.deserializeTx.deserializeTransaction(CONTRACTS[purpose], rawDataHex) as unknown as Decoded;
  const [{ parameter, type, Permission_id: permission = 0 }] = decoded.contract;
  const given = Object.entries(parameter.value).filter(([, value]) => value !== false && value !== 0);
  const value = Object.fromEntries(
    given.map(([name, one]) => [name, name.endsWith('_address') ? lowerCase(one) : one]),
  );
  return {
    contract: [
      {
        parameter: { value, type_url: parameter.type_url },
        type,
        ...(permission > 0 && { Permission_id: permission }),
      },
    ],
    ref_block_bytes: lowerCase(decoded.ref_block_bytes),
    ref_block_hash: lowerCase(decoded.ref_block_hash),
    expiration: decoded.expiration,
    timestamp: decoded.timestamp,
  };
}

function lowerCase(text: unknown): unknown {
  return typeof text === 'string' && HEX.test(text) ? text.toLowerCase() : text;
}
