import { ChainTransaction } from '../../../local-chain/src/chain/transaction.model';
import { encodeBase58 } from '../../../local-chain/src/signing/address.codec';
import type { SimChain } from '../network/sim-chain';

export interface StakeMove {
  readonly txId: string;
  readonly does: 'delegate' | 'undelegate';
  readonly from: string;
  readonly to: string;
  readonly sun: bigint;
  readonly height: number;
  readonly timeMs: number;
  /** Somebody else's with the wallet's key. */
  readonly isForeign: boolean;
}

const DELEGATE = 57;
const UNDELEGATE = 58;

interface StakeMessage {
  readonly owner_address: Buffer;
  readonly receiver_address: Buffer;
  readonly balance: bigint;
}

/** Every delegation and undelegation in a block, oldest first. */
export function stakeMoves({ node, foreignTxIds }: SimChain): StakeMove[] {
  const moves: StakeMove[] = [];
  for (const { id, height, bytes } of node.blocks.everyTransaction()) {
    if (height === 0) continue;
    const transaction = ChainTransaction.restore(bytes);
    const type = Number(transaction.raw.contract[0]?.type);
    if (type !== DELEGATE && type !== UNDELEGATE) continue;
    const message = transaction.message as unknown as StakeMessage;
    moves.push({
      txId: id,
      does: type === DELEGATE ? 'delegate' : 'undelegate',
      from: encodeBase58(message.owner_address),
      to: encodeBase58(message.receiver_address),
      sun: message.balance,
      height,
      timeMs: node.blocks.find(height)!.timestamp,
      isForeign: foreignTxIds.has(id),
    });
  }
  return moves;
}
