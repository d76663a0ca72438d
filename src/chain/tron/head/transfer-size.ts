import { toHexAddress } from '../addresses';
import type { ChainReads } from '../node/chain-reads';
import { addressWord, numberWord } from '../node/constant-call';

/** A TRC-20 transfer that is about to be sent; addresses in base58. */
export interface TokenTransfer {
  readonly sender: string;
  readonly recipient: string;
  readonly token: string;
  /** In the token's smallest units. */
  readonly value: bigint;
}

/** `sized`: `energy` has `penalty` in it. `no-token`: the address has no TRC-20 contract. `not-run`: no node could run the call. */
export type TransferSize =
  | { readonly kind: 'sized'; readonly energy: bigint; readonly penalty: bigint; readonly succeeds: boolean }
  | { readonly kind: 'no-token' | 'not-run' };

/**
 * Energy of a USDT transfer on mainnet, with the highest penalty possible (getDynamicEnergyMaxFactor); measured on 2026-09-30. A recipient
 * without any USDT needs more, because its balance has to be stored.
 */
export const TO_HOLDER_ENERGY = 64_285n;
export const TO_EMPTY_ENERGY = 130_285n;

/** By the node's own dry run; of a transfer that would fail, because the tokens are not there yet, by who receives it. */
export async function sizeTransfer(reads: ChainReads, transfer: TokenTransfer): Promise<TransferSize> {
  const [caller, contract] = [toHexAddress(transfer.sender), toHexAddress(transfer.token)];
  const recipient = addressWord(toHexAddress(transfer.recipient));
  const parameter = recipient + numberWord(transfer.value);
  const run = await reads.constantCall({ caller, contract, method: 'transfer(address,uint256)', parameter });
  if (run === null || run.kind === 'not-run') return { kind: 'not-run' };
  if (run.kind === 'no-contract') return { kind: 'no-token' };
  if (run.kind === 'done') return { kind: 'sized', energy: run.energy, penalty: run.penalty, succeeds: true };

  const held = await reads.constantCall({ caller, contract, method: 'balanceOf(address)', parameter: recipient });
  if (held === null || held.kind === 'not-run') return { kind: 'not-run' };
  if (held.kind !== 'done' || !/^[0-9a-f]{64}/i.test(held.output)) return { kind: 'no-token' };
  const holds = BigInt(`0x${held.output.slice(0, 64)}`) > 0n;
  return { kind: 'sized', energy: holds ? TO_HOLDER_ENERGY : TO_EMPTY_ENERGY, penalty: 0n, succeeds: false };
}
