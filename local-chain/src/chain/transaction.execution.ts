import type { WorldState } from '../state/world.state';
import { PARAMETERS } from './chain.parameters';
import { chargeExtras, chargeNet } from './fee.charge';
import { checkSignatures } from './signature.check';
import { ContractValidateError, TransactionRefusedError, expired } from './transaction.errors';
import type { ChainTransaction } from './transaction.model';
import type { TransactionReceipt } from './transaction.receipt';

export interface ChainFacts {
  headHeight: number;
  headTime: number;
  findBlockId(height: number): string | undefined;
  isKnown(id: string): boolean;
}

/** The block that two bytes of its height name: the newest one of the last 65,536 with these bytes. */
export function checkTapos({ raw }: ChainTransaction, facts: ChainFacts): void {
  const low = raw.ref_block_bytes.length === 2 ? raw.ref_block_bytes.readUInt16BE() : -1;
  const height = facts.headHeight - ((facts.headHeight - low) & (PARAMETERS.reachableBlocks - 1));
  const id = low < 0 || height < 0 ? undefined : facts.findBlockId(height);
  if (id?.slice(16, 32) !== raw.ref_block_hash.toString('hex'))
    throw new TransactionRefusedError('TAPOS_ERROR', 'Tapos check error.');
}

/** A node takes no transaction that could not be in the next block, due 3 seconds after the head. */
export function checkNextSlot(tx: ChainTransaction, headTime: number): void {
  if (tx.expiresAt < headTime + PARAMETERS.slotMs) throw expired();
}

function checkSize({ id, bytes }: ChainTransaction): void {
  const withResult = bytes.length + 2 * PARAMETERS.resultBytes;
  if (withResult > PARAMETERS.maxTransactionBytes)
    throw new TransactionRefusedError(
      'TOO_BIG_TRANSACTION_ERROR',
      `Too big transaction with result, TxId ${id}, the size is ${withResult} bytes, maxTxSize ${PARAMETERS.maxTransactionBytes}`,
    );
}

function checkExpiration(tx: ChainTransaction, headTime: number): void {
  if (tx.expiresAt <= headTime || tx.expiresAt > headTime + PARAMETERS.dayMs) throw expired();
}

function checkContract(tx: ChainTransaction): void {
  const count = tx.raw.contract.length;
  if (count !== 1)
    throw new TransactionRefusedError(
      'OTHER_ERROR',
      `Error: tx ${tx.id} contract size should be exactly 1, this is extend feature ,actual :${count}`,
    );
}

/** Runs a transaction on top of a state, in java-tron's order of checks; throws what the node would answer. */
export function executeTransaction(world: WorldState, tx: ChainTransaction, facts: ChainFacts): TransactionReceipt {
  checkTapos(tx, facts);
  checkSize(tx);
  checkExpiration(tx, facts.headTime);
  checkContract(tx);
  if (facts.isKnown(tx.id)) throw new TransactionRefusedError('DUP_TRANSACTION_ERROR', 'Dup transaction.');
  checkSignatures(world, tx);
  const net = chargeNet(world, tx);
  const extraFeeSun = chargeExtras(world, tx);
  if (!tx.rule || !tx.message) throw new ContractValidateError('No contract!');
  tx.rule.validate(world, tx.message, false, tx.raw.fee_limit);
  const { feeSun, ...more } = tx.rule.execute(world, tx.message, tx.raw.fee_limit);
  return { feeSun: feeSun + net.netFeeSun + extraFeeSun, ...net, ...more };
}
