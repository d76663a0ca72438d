import { ApiProperty, ApiSchema } from '../../common/http/described';
import { LARGEST_WHOLE } from '../../billing/rounding';
import { ENERGY, MONEY, TIME, TRANSACTIONS, TRON_ADDRESS } from '../../common/http/api-formats';
import { type RawJson, trxNumber } from '../../common/money/json-number';
import { type Payer, PAYERS } from '../../delegation/order.entity';
import type { Quote } from '../quote';

@ApiSchema({ name: 'QuotedTransfer' })
class TransferResponse {
  @ApiProperty({ ...ENERGY, description: 'Energy that the transfer takes, the penalty included' })
  readonly energy!: RawJson;

  @ApiProperty({ ...ENERGY, description: 'What of it is due to the token being used so much' })
  readonly penalty!: RawJson;

  @ApiProperty({ description: 'Whether the node says that the transfer would succeed now' })
  readonly succeeds!: boolean;
}

@ApiSchema({ name: 'Quote' })
class QuoteData {
  @ApiProperty(TRON_ADDRESS)
  readonly receiver_address!: string;

  @ApiProperty({ description: 'The receiver exists on chain' })
  readonly activated!: boolean;

  @ApiProperty({ description: 'The receiver is a contract, to which nothing can be delegated' })
  readonly contract!: boolean;

  @ApiProperty({ ...ENERGY, description: 'Energy that the receiver could use now' })
  readonly energy_available!: RawJson;

  @ApiProperty({
    ...ENERGY,
    description: 'Energy of an order of this amount; at most 9223372036854775807, which no wallet has',
  })
  readonly energy!: RawJson;

  @ApiProperty({ ...TRANSACTIONS, description: 'Transactions to order, in thousandths; 0 when nothing is missing' })
  readonly amount!: RawJson;

  @ApiProperty({ ...MONEY, description: 'What the order would be charged now, without the activation' })
  readonly cost!: RawJson;

  @ApiProperty({ ...MONEY, description: 'The charge on top for the activation of the receiver' })
  readonly activation_cost!: RawJson;

  @ApiProperty({ enum: PAYERS, enumName: 'Payer', nullable: true, description: 'null: neither would do' })
  readonly paid_by!: Payer | null;

  @ApiProperty({ description: 'Quota or balance covers it, the activation included, within the limits of the token' })
  readonly payable!: boolean;

  @ApiProperty({ description: 'One wallet could lend it now' })
  readonly available!: boolean;

  @ApiProperty({ ...TRANSACTIONS, description: 'The largest amount that one wallet could lend now' })
  readonly largest_amount!: RawJson;

  @ApiProperty({
    ...MONEY,
    description: "What the transfer would burn if nothing were ordered, at the chain's present price",
  })
  readonly burn_cost!: RawJson;

  @ApiProperty({ type: TransferResponse, required: false, description: 'Only with `to`' })
  readonly transfer?: TransferResponse;

  @ApiProperty(TIME)
  readonly quoted_at!: string;
}

@ApiSchema({ name: 'QuoteResult' })
export class QuoteResponse {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty()
  readonly data!: QuoteData;
}

export function quoteResponse(quote: Quote): QuoteResponse {
  const { transfer } = quote;
  const data: QuoteData = {
    receiver_address: quote.receiver,
    activated: quote.activated,
    contract: quote.contract,
    energy_available: units(quote.energyLeft > 0n ? quote.energyLeft : 0n),
    energy: units(quote.energy ?? LARGEST_WHOLE),
    amount: JSON.rawJSON(quote.transactions.toFixed()),
    cost: trxNumber(quote.costSun),
    activation_cost: trxNumber(quote.activationSun),
    paid_by: quote.paidBy,
    payable: quote.payable,
    available: quote.available,
    largest_amount: JSON.rawJSON(quote.largestTransactions.toFixed()),
    burn_cost: trxNumber(quote.burnSun),
    ...(transfer && {
      transfer: { energy: units(transfer.energy), penalty: units(transfer.penalty), succeeds: transfer.succeeds },
    }),
    quoted_at: quote.quotedAt.toISOString(),
  };
  return { success: true, data };
}

function units(energy: bigint): RawJson {
  return JSON.rawJSON(energy.toString());
}
