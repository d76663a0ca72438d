import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TronWeb, type Types } from 'tronweb';
import { SUN_PER_TRX } from '../../common/money/sun';
import { toHexAddress } from '../addresses';
import type { ReferenceBlock } from '../reference-blocks';
import { signDigest } from './sign-digest';
import { broadcastBody, type SignedTransaction } from './signed-transaction';
import { SigningKeys, type KeyOwner } from './signing-keys';

/** The receiver gets this to exist; the network burns another 1 TRX for it. */
export const ACTIVATION_SUN = SUN_PER_TRX;
/** How long after the reference head a block may still take a transaction. */
const LIFETIME_MS = 60_000;
const MOST_EARLIER_MS = 1_000;

type Unsigned = Types.Transaction;

interface BlockHeaderFields {
  ref_block_bytes: string;
  ref_block_hash: string;
  expiration: number;
  timestamp: number;
}

/** Builds and signs. Purely local: the header is given, so tronweb asks no node. It would decode a base58 address several times over. */
@Injectable()
export class Transactions {
  // Never called: a host is asked for, and every call here builds locally.
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
    // Two instances may build equal orders in one millisecond: they would be one transaction.
    const expirationMs = reference.headTimeMs + LIFETIME_MS - randomInt(MOST_EARLIER_MS);
    // Equal orders on one reference block would be one transaction: the timestamp, which no node checks, tells them apart.
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

/** tronweb takes numbers; a stake beyond their exact range (9 billion TRX) is refused rather than rounded. */
function exactNumber(sun: bigint): number {
  const value = Number(sun);
  if (!Number.isSafeInteger(value)) throw new Error(`${sun} sun is beyond what a transaction builder takes exactly`);
  return value;
}
