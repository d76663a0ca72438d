import { ApiProperty, ApiSchema } from '../common/http/described';

const OUTCOMES = ['ok', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number];

@ApiSchema({ name: 'Liveness' })
export class LiveResponse {
  @ApiProperty({ enum: ['ok'] })
  readonly status!: 'ok';
}

export class ReadinessChecks {
  @ApiProperty({ enum: OUTCOMES })
  readonly database!: Outcome;

  @ApiProperty({ enum: OUTCOMES })
  readonly migrations!: Outcome;

  @ApiProperty({ enum: OUTCOMES })
  readonly node!: Outcome;

  @ApiProperty({
    enum: OUTCOMES,
    required: false,
    description: 'Only if SIGNER_URL is set: whether the signer signs for a wallet, or a wallet delegates without it',
  })
  readonly signer?: Outcome;

  @ApiProperty({
    required: false,
    enum: ['ok', 'behind'],
    description:
      'Only with deposits on: whether the service still has to search blocks of an interruption for deposits. Orders do not wait for that',
  })
  readonly deposits?: 'ok' | 'behind';
}

@ApiSchema({ name: 'Readiness' })
export class ReadyResponse {
  @ApiProperty({ enum: ['ok', 'unavailable'] })
  readonly status!: 'ok' | 'unavailable';

  @ApiProperty()
  readonly checks!: ReadinessChecks;

  @ApiProperty({ required: false, description: 'Why the service cannot rely on the chain or the database' })
  readonly reason?: string;
}
