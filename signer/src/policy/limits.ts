import type { KeyRule } from '../configuration/configuration';
import type { Kind } from '../protobuf/contracts';
import { RefusalError } from '../refusal';
import { HourLimit, type Reservation } from './hour.limit';

/** What a signature counts for. Stake that is taken back counts for nothing: what is lent has to come back. */
const STAKE: readonly Kind[] = ['DelegateResourceContract', 'FreezeBalanceV2Contract', 'UnfreezeBalanceV2Contract'];
const TRANSFERS: readonly Kind[] = ['TransferContract'];

/** What the log says of a signature. */
export interface Signed {
  readonly txid: string;
  readonly kind: Kind;
  readonly amountSun: bigint;
}

interface Limit {
  readonly name: string;
  readonly hour: HourLimit;
  readonly countOf: (signed: Signed) => bigint;
}

/** The limits of one key. */
export class Limits {
  private readonly limits: readonly Limit[];

  constructor({ limits: { stakeSunPerHour, transfersPerHour } }: Pick<KeyRule, 'limits'>) {
    this.limits = [
      limitOf('stake_sun_per_hour', stakeSunPerHour, ({ kind, amountSun }) => (STAKE.includes(kind) ? amountSun : 0n)),
      limitOf('transfers_per_hour', transfersPerHour, ({ kind }) => (TRANSFERS.includes(kind) ? 1n : 0n)),
    ].filter((limit) => limit !== null);
  }

  restore(signed: Signed, atMs: number): void {
    for (const { hour, countOf } of this.limits)
      if (countOf(signed) > 0n) hour.restore(signed.txid, countOf(signed), atMs);
  }

  /** @throws RefusalError */
  reserve(signed: Signed, nowMs: number): Reservation {
    const taken: Reservation[] = [];
    for (const { name, hour, countOf } of this.limits) {
      const count = countOf(signed);
      const reservation = count === 0n ? undefined : hour.reserve(signed.txid, count, nowMs);
      if (reservation) taken.push(reservation);
      if (reservation !== null) continue;
      for (const one of taken) one.failed();
      throw new RefusalError('limit_reached', `${name} is reached`);
    }
    return {
      logged: (atMs) => taken.forEach((one) => one.logged(atMs)),
      failed: () => taken.forEach((one) => one.failed()),
    };
  }
}

function limitOf(name: string, most: bigint | undefined, countOf: Limit['countOf']): Limit | null {
  return most === undefined ? null : { name, hour: new HourLimit(most), countOf };
}
