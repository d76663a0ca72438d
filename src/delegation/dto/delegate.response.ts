import { ApiProperty, ApiSchema } from '../../common/http/described';
import { MONEY, TXID } from '../../common/http/api-formats';
import type { RawJson } from '../../common/money/json-number';

@ApiSchema({ name: 'DelegateResult' })
export class DelegateResponse {
  @ApiProperty({ enum: [true] })
  readonly success!: true;

  @ApiProperty({ description: 'Always 委托成功' })
  readonly message!: '委托成功';

  @ApiProperty({ ...TXID, description: 'The delegation on the chain' })
  readonly txid!: string;

  @ApiProperty({
    ...MONEY,
    required: false,
    description: 'In variant B always, in variant A never: what is charged, 0 when quota pays',
  })
  readonly cost?: RawJson;
}
