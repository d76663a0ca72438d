/** Something that must not be, told to an operator. */
export interface Finding {
  kind: string;
  subject: string;
  reason: string;
  next_step: string;
  /** Of what an operator can acknowledge: no more than this is. */
  amountSun?: bigint;
}
