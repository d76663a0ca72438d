import { requireAddress } from './answer.reader';

export type ReceiverState = 'inactive' | 'active' | 'contract';

/** An account by `getaccount`. @throws NodeUnavailableError when it is another one than was asked for */
export function readReceiverState(account: Record<string, unknown>, hexAddress: string): ReceiverState {
  if (Object.keys(account).length === 0) return 'inactive';
  requireAddress(account, 'address', hexAddress);
  return account['type'] === 'Contract' ? 'contract' : 'active';
}

/**
 * By what nodes show at their heads and in their solid views. An account that any of them shows exists, for it never goes away again; it is a
 * contract where two heads say so, or the only one that answers.
 */
export function judgeReceiver(heads: readonly ReceiverState[], solids: readonly ReceiverState[]): ReceiverState {
  const said = [...heads, ...solids];
  if (said.includes('active')) return 'active';
  const contracts = (heads.length === 1 ? said : heads).filter((state) => state === 'contract').length;
  return contracts >= Math.min(heads.length, 2) ? 'contract' : 'inactive';
}
