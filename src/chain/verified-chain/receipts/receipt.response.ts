import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../../../common/http/described';
import { MONEY, TIME, TRON_ADDRESS, TXID } from '../../../common/http/api-formats';
import type { RawJson } from '../../../common/money/json-number';

const HEX = { type: String, pattern: '^([0-9a-f]{2})+$' } as const;
const HASH = { type: String, pattern: '^[0-9a-f]{64}$' } as const;
const HEX_ADDRESS = { type: String, pattern: '^41[0-9a-f]{40}$' } as const;

@ApiSchema({ name: 'ReceiptBranchStep' })
export class BranchStepResponse {
  @ApiProperty({ enum: ['left', 'right'], description: 'Side of the hash next to what was computed so far' })
  readonly side!: 'left' | 'right';

  @ApiProperty(HASH)
  readonly hash!: string;
}

@ApiSchema({ name: 'ReceiptPostQuantumSignature' })
export class PostQuantumSignatureResponse {
  @ApiProperty({ type: String, description: 'FN_DSA_512, or a scheme that `receipt:verify` names but does not verify' })
  readonly scheme!: string;

  @ApiProperty({ ...HEX, description: 'The last 20 bytes of its Keccak-256, after 41, are the signing address' })
  readonly public_key!: string;

  @ApiProperty({ ...HEX, description: "Signature of the bytes' SHA-256" })
  readonly signature!: string;
}

@ApiSchema({ name: 'ReceiptHeader', description: 'A block header with its `signature` or `pq_auth_sig`' })
export class ReceiptHeaderResponse {
  @ApiProperty({ ...HEX, description: 'protocol.BlockHeader.raw' })
  readonly bytes!: string;

  @ApiPropertyOptional({
    type: String,
    pattern: '^[0-9a-f]{128}0[01]$',
    description: "Signature of the witness over the bytes' SHA-256: r, s and v, which is 0 or 1",
  })
  readonly signature?: string;

  @ApiPropertyOptional({ type: PostQuantumSignatureResponse, description: 'From a witness with a post-quantum key' })
  readonly pq_auth_sig?: PostQuantumSignatureResponse;
}

@ApiSchema({ name: 'ReceiptWitness' })
export class ReceiptWitnessResponse {
  @ApiProperty(HEX_ADDRESS)
  readonly address!: string;

  @ApiProperty({ enum: [true], description: 'The witness is active: it makes blocks' })
  readonly isJobs!: true;

  @ApiProperty({ ...HEX_ADDRESS, description: 'Address of the key that the witness signs blocks with' })
  readonly signing_address!: string;
}

/** What proves a delegation to anyone who knows the witnesses. Nothing in it that the chain does not show. */
@ApiSchema({ name: 'Receipt' })
export class ReceiptResponse {
  @ApiProperty(TXID)
  readonly txid!: string;

  @ApiProperty(TRON_ADDRESS)
  readonly receiver_address!: string;

  @ApiProperty({ ...MONEY, description: 'TRX whose energy was delegated' })
  readonly stake!: RawJson;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0 })
  readonly block_number!: number;

  @ApiProperty(HASH)
  readonly block_id!: string;

  @ApiProperty(TIME)
  readonly block_time!: string;

  @ApiProperty({ ...HEX, description: 'protocol.Transaction as it is in the block, with signature and result' })
  readonly transaction!: string;

  @ApiProperty({ type: [BranchStepResponse], description: "From the transaction's hash up to the block's root" })
  readonly branch!: readonly BranchStepResponse[];

  @ApiProperty({ description: 'Header of the block' })
  readonly header!: ReceiptHeaderResponse;

  @ApiProperty({
    type: [ReceiptHeaderResponse],
    description: 'Headers of the next blocks, until 19 of 27 witnesses have built on the block',
  })
  readonly following!: readonly ReceiptHeaderResponse[];

  @ApiProperty({ type: [ReceiptWitnessResponse], description: 'The witnesses that were active at that time' })
  readonly witnesses!: readonly ReceiptWitnessResponse[];
}

@ApiSchema({ name: 'ReceiptResult' })
export class ReceiptEnvelope {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty()
  readonly data!: ReceiptResponse;
}
