import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { TronWeb, type Types } from 'tronweb';
import { toHexAddress } from '../../tron/addresses';
import type { ReferenceBlock } from '../../verified-chain/reference-blocks';
import { LIFETIME_MS, MOST_EARLIER_MS } from '../../verified-chain/transaction-lifetime';
import { broadcastBody, type SignedTransaction } from '../../tron/node/signed-transaction';
import type { KeyOwner } from './signing-keys';
import { ACTIVATION_SUN, type PlannedTransaction, referenceFields, TransactionSigner } from './transaction-signer';

type Unsigned = Types.Transaction;
type Wanted = Pick<PlannedTransaction, 'purpose' | 'receiver' | 'amountSun'>;

interface BlockHeaderFields {
  ref_block_bytes: string;
  ref_block_hash: string;
  expiration: number;
  timestamp: number;
}

/** Builds without any call, and has it signed: the header is given, so tronweb asks no node. Hex addresses, because tronweb decodes base58 several times. */
@Injectable()
export class Transactions {
  // tronweb wants a host, but nothing here calls it.
  private readonly tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:1' });
  private lastTimestampMs = 0;

  constructor(private readonly signer: TransactionSigner) {}

  delegate(
    wallet: KeyOwner,
    receiver: string,
    stakeSun: bigint,
    reference: ReferenceBlock,
  ): Promise<SignedTransaction> {
    return this.sign(wallet, { purpose: 'delegation', receiver, amountSun: stakeSun }, reference, (options) =>
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
    return this.sign(wallet, { purpose: 'reclaim', receiver, amountSun: stakeSun }, reference, (options) =>
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
    return this.sign(wallet, { purpose: 'activation', receiver, amountSun: ACTIVATION_SUN }, reference, (options) =>
      this.tronWeb.transactionBuilder.sendTrx(receiver, exactNumber(ACTIVATION_SUN), wallet.address, options),
    );
  }

  private async sign(
    wallet: KeyOwner,
    wanted: Wanted,
    reference: ReferenceBlock,
    build: (options: { permissionId?: number; blockHeader: BlockHeaderFields }) => Promise<Unsigned>,
  ): Promise<SignedTransaction> {
    // Random, because two instances may build equal orders in the same millisecond, which would be one transaction.
    const expirationMs = reference.headTimeMs + LIFETIME_MS - randomInt(MOST_EARLIER_MS);
    // Unique in this process, because equal orders on one reference block would be one transaction. No node checks the timestamp.
    this.lastTimestampMs = Math.max(this.lastTimestampMs + 1, Date.now());
    const timestampMs = this.lastTimestampMs;
    const { refBlockBytes, refBlockHash } = referenceFields(reference);
    const blockHeader = {
      ref_block_bytes: refBlockBytes,
      ref_block_hash: refBlockHash,
      expiration: expirationMs,
      timestamp: timestampMs,
    };
    const permissionId = wallet.permissionId === 0 ? {} : { permissionId: wallet.permissionId };
    const unsigned = await build({ ...permissionId, blockHeader });
    const planned = { ...wanted, reference, expirationMs, timestampMs };
    const signed = this.signer.sign(wallet, planned, Buffer.from(unsigned.raw_data_hex, 'hex'));
    const parts = {
      ...signed,
      rawData: unsigned.raw_data as unknown as Record<string, unknown>,
      rawDataHex: unsigned.raw_data_hex,
    };
    return {
      ...parts,
      expirationMs,
      refBlock: { number: reference.number },
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
