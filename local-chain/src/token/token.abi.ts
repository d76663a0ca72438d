import type { JsonObject } from '../protobuf/json.printer';

export const param = (type: string, name = '', indexed = false): JsonObject => ({
  ...(indexed ? { indexed } : {}),
  ...(name ? { name } : {}),
  type,
});

const view = (name: string, output: string, inputs: JsonObject[] = []): JsonObject => ({
  constant: true,
  name,
  ...(inputs.length > 0 ? { inputs } : {}),
  outputs: [param(output)],
  type: 'Function',
  stateMutability: 'View',
});

/** As `wallet/getcontract` shows it: what the stand-in has of USDT's. */
export const TOKEN_ABI: readonly JsonObject[] = [
  view('name', 'string'),
  view('symbol', 'string'),
  view('decimals', 'uint256'),
  view('totalSupply', 'uint256'),
  view('balanceOf', 'uint256', [param('address', 'who')]),
  view('allowance', 'uint256', [param('address', '_owner'), param('address', '_spender')]),
  {
    name: 'transfer',
    inputs: [param('address', '_to'), param('uint256', '_value')],
    outputs: [param('bool')],
    type: 'Function',
    stateMutability: 'Nonpayable',
  },
  {
    name: 'transferFrom',
    inputs: [param('address', '_from'), param('address', '_to'), param('uint256', '_value')],
    outputs: [param('bool')],
    type: 'Function',
    stateMutability: 'Nonpayable',
  },
  {
    name: 'approve',
    inputs: [param('address', '_spender'), param('uint256', '_value')],
    outputs: [param('bool')],
    type: 'Function',
    stateMutability: 'Nonpayable',
  },
  {
    name: 'Transfer',
    inputs: [param('address', 'from', true), param('address', 'to', true), param('uint256', 'value')],
    type: 'Event',
  },
  {
    name: 'Approval',
    inputs: [param('address', 'owner', true), param('address', 'spender', true), param('uint256', 'value')],
    type: 'Event',
  },
];
