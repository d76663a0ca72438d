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

  @ApiProperty({
    ...ENERGY,
    description: 'Part of that energy that the network adds because the contract of the token is used heavily',
  })
  readonly penalty!: RawJson;

  @ApiProperty({ description: 'Whether the transfer would succeed now, according to the node' })
  readonly succeeds!: boolean;
}

@ApiSchema({ name: 'Quote' })
class QuoteData {
  @ApiProperty(TRON_ADDRESS)
  readonly receiver_address!: string;

  @ApiProperty({ description: 'The receiver exists on the chain' })
  readonly activated!: boolean;

  @ApiProperty({ description: 'The receiver is a contract, which cannot receive energy' })
  readonly contract!: boolean;

  @ApiProperty({ ...ENERGY, description: 'Energy that the receiver could use now' })
  readonly energy_available!: RawJson;

  @ApiProperty({
    ...ENERGY,
    description: 'Energy of an order of this amount, capped at 9223372036854775807, which no wallet has',
  })
  readonly energy!: RawJson;

  @ApiProperty({
    ...TRANSACTIONS,
    description: 'Transactions to order, rounded up to thousandths. 0 when nothing is missing',
  })
  readonly amount!: RawJson;

  @ApiProperty({ ...MONEY, description: 'What the order would cost now, without the activation' })
  readonly cost!: RawJson;

  @ApiProperty({ ...MONEY, description: 'What the activation of the receiver would cost in addition' })
  readonly activation_cost!: RawJson;

  @ApiProperty({
    enum: PAYERS,
    enumName: 'Payer',
    nullable: true,
    description: 'null: neither quota nor balance covers the order',
  })
  readonly paid_by!: Payer | null;

  @ApiProperty({
    description: 'Quota or balance covers the order with its activation, and the limits of the token allow it',
  })
  readonly payable!: boolean;

  @ApiProperty({ description: 'One wallet can delegate this energy now' })
  readonly available!: boolean;

  @ApiProperty({ ...TRANSACTIONS, description: 'The largest amount that one wallet can delegate now' })
  readonly largest_amount!: RawJson;

  @ApiProperty({
    ...MONEY,
    description: 'What the network would burn as TRX without an order, at its present energy price',
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
