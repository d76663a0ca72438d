import { bytesOf } from '../../proof/protobuf';
import { amountIn, notUnderstood, recordIn, recordsIn, textsIn } from './answer.reader';
import { NodeUnavailableError } from './node-errors';

export interface ContractCall {
  /** All three in hex, `41…`. */
  readonly caller: string;
  readonly contract: string;
  /** `transfer(address,uint256)` */
  readonly method: string;
  /** Words of 32 bytes, in hex. */
  readonly parameter: string;
}

/** What a node says a call would come to. `failed`: it would be in a block, paid for, and change nothing. */
export type CallResult =
  | { readonly kind: 'done'; readonly energy: bigint; readonly penalty: bigint; readonly output: string }
  | { readonly kind: 'failed' | 'no-contract' | 'not-run' };

export function callBody({ caller, contract, method, parameter }: ContractCall): Record<string, unknown> {
  return { owner_address: caller, contract_address: contract, function_selector: method, parameter };
}

export const addressWord = (hexAddress: string): string => hexAddress.slice(2).padStart(64, '0');
export const numberWord = (value: bigint): string => value.toString(16).padStart(64, '0');

/**
 * java-tron answers a revert with `result.result: true`, and only the transaction's `ret` tells (Wallet.callConstantContract); what the
 * virtual machine throws is an OTHER_ERROR that names the exception's class. `energy_used` has the penalty in it.
 * Null from a node that runs no such calls.
 * @throws NodeUnavailableError for what says nothing of the call
 */
export function readCallResult(answer: Record<string, unknown>): CallResult | null {
  const result = recordIn(answer, 'result');
  if (result['result'] !== true) return readRefusal(String(result['code']), textOf(result['message']));
  const [ret] = recordsIn(recordIn(answer, 'transaction'), 'ret');
  if (!ret) throw notUnderstood('transaction.ret');
  if (ret['ret'] === 'FAILED') return { kind: 'failed' };
  const energy = amountIn(answer, 'energy_used');
  const penalty = amountIn(answer, 'energy_penalty');
  if (energy === 0n || penalty > energy) throw notUnderstood('energy_used');
  return { kind: 'done', energy, penalty, output: textsIn(answer, 'constant_result')[0] ?? '' };
}

function readRefusal(code: string, message: string): CallResult | null {
  if (code === 'CONTRACT_VALIDATE_ERROR') {
    if (message.includes('does not support constant')) return null;
    return { kind: /contract is not exist|No contract/i.test(message) ? 'no-contract' : 'failed' };
  }
  // The node ran out of its own time: another one, or another time, may tell.
  if (/OutOfTime/.test(message)) return { kind: 'not-run' };
  if (code === 'OTHER_ERROR' && /class org\.tron\.core\.vm\./.test(message)) return { kind: 'failed' };
  throw new NodeUnavailableError(`a constant call was answered with ${code}`);
}

function textOf(message: unknown): string {
  if (typeof message !== 'string') return '';
  return bytesOf(message)?.toString('utf8') ?? message;
}
