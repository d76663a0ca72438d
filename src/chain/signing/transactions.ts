import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TronWeb, type Types } from 'tronweb';
import { SUN_PER_TRX } from '../../common/money/sun';
import { toHexAddress } from '../addresses';
import type { ReferenceBlock } from '../reference-blocks';
import { signDigest } from './sign-digest';
import { broadcastBody, type SignedTransaction } from './signed-transaction';
import { SigningKeys, type KeyOwner } from './signing-keys';

/** Sent to the receiver to create its account; the network burns another 1 TRX. */
export const ACTIVATION_SUN = SUN_PER_TRX;
/** How long after the head's time a block may still include the transaction. */
const LIFETIME_MS = 60_000;
const MOST_EARLIER_MS = 1_000;

type Unsigned = Types.Transaction;

interface BlockHeaderFields {
  ref_block_bytes: string;
  ref_block_hash: string;
  expiration: number;
  timestamp: number;
}

/** Builds and signs without any call: the header is given, so tronweb asks no node. Hex addresses, because tronweb decodes base58 several times. */
@Injectable()
export class Transactions {
  // tronweb wants a host, but nothing here calls it.
  private readonly tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:1' });
  private lastTimestampMs = 0;

  constructor(private readonly keys: SigningKeys) {}

  delegate(
    wallet: KeyOwner,
    receiver: string,
    stakeSun: bigint,
    reference: ReferenceBlock,
  ): Promise<SignedTransaction> {
    return this.sign(wallet, reference, (options) =>
      this.tronWeb.transactionBuilder.delegateResource(
        exactNumber(stakeSun),
        toHexAddress(receiver),
        'ENERGY',
        toHexAddress(wallet.address),
        false,
        undefined,
        options,
      ),
    );
  }

  undelegate(
    wallet: KeyOwner,
    receiver: string,
    stakeSun: bigint,
    reference: ReferenceBlock,
  ): Promise<SignedTransaction> {
    return this.sign(wallet, reference, (options) =>
      this.tronWeb.transactionBuilder.undelegateResource(
        exactNumber(stakeSun),
        receiver,
        'ENERGY',
        wallet.address,
        options,
      ),
    );
  }

  activate(wallet: KeyOwner, receiver: string, reference: ReferenceBlock): Promise<SignedTransaction> {
    return this.sign(wallet, reference, (options) =>
      this.tronWeb.transactionBuilder.sendTrx(receiver, exactNumber(ACTIVATION_SUN), wallet.address, options),
    );
  }

  private async sign(
    wallet: KeyOwner,
    reference: ReferenceBlock,
    build: (options: { permissionId?: number; blockHeader: BlockHeaderFields }) => Promise<Unsigned>,
  ): Promise<SignedTransaction> {
    const key = this.keys.keyOf(wallet);
    // Random, because two instances may build equal orders in the same millisecond, which would be one transaction.
    const expirationMs = reference.headTimeMs + LIFETIME_MS - randomInt(MOST_EARLIER_MS);
    // Unique in this process, because equal orders on one reference block would be one transaction. No node checks the timestamp.
    this.lastTimestampMs = Math.max(this.lastTimestampMs + 1, Date.now());
    const blockHeader = {
      ref_block_bytes: (reference.number & 0xffff).toString(16).padStart(4, '0'),
      ref_block_hash: reference.id.slice(16, 32),
      expiration: expirationMs,
      timestamp: this.lastTimestampMs,
    };
    const permissionId = wallet.permissionId === 0 ? {} : { permissionId: wallet.permissionId };
    const unsigned = await build({ ...permissionId, blockHeader });
    const txId = unsigned.txID.toLowerCase();
    const parts = {
      txId,
      rawData: unsigned.raw_data as unknown as Record<string, unknown>,
      rawDataHex: unsigned.raw_data_hex,
      signature: signDigest(txId, key),
    };
    return {
      ...parts,
      expirationMs,
      refBlock: { number: reference.number, id: reference.id },
      json: broadcastBody(parts),
    };
  }
}

/** tronweb takes numbers; a stake beyond their exact range (9 billion TRX) is refused, not rounded. */
function exactNumber(sun: bigint): number {
  const value = Number(sun);
  if (!Number.isSafeInteger(value)) throw new Error(`${sun} sun is beyond what a transaction builder takes exactly`);
  return value;
}
