import { ApiProperty, ApiSchema } from '../../common/http/described';
import { MONEY, TXID } from '../../common/http/api-formats';
import type { RawJson } from '../../common/money/json-number';

@ApiSchema({ name: 'DelegateResult' })
export class DelegateResponse {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty({ description: 'Always 委托成功' })
  readonly message!: '委托成功';

  @ApiProperty({ ...TXID, description: 'Id of the transaction that delegates the energy' })
  readonly txid!: string;

  @ApiProperty({
    ...MONEY,
    required: false,
    description: 'Only in variant B: what the order costs, 0 when quota pays',
  })
  readonly cost?: RawJson;
}
