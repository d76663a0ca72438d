import { HeldLock } from '../support/held-lock';
import type { OrderWorld } from '../support/order-world';

/** Any number that the service does not use. */
const GATE = 7_202_120_301;

/** Claimants, by their names at the database, until when they claim, and when orders came back: all by the database's clock. */
const LOG = [
  `create table claim_log (
     id bigserial primary key, order_id uuid not null, claimant text not null default current_setting('application_name'),
     state text not null, epoch integer not null, claimed_until timestamptz, at timestamptz not null default clock_timestamp())`,
  `create function log_claim() returns trigger language plpgsql as $$
   begin
     insert into claim_log (order_id, state, epoch, claimed_until) values (new.id, new.state, new.epoch, new.claimed_until);
     return null;
   end $$`,
  `create trigger log_claim after update on delegations for each row
     when (new.epoch > old.epoch or (new.state = 'reclaimed' and old.state <> 'reclaimed')) execute function log_claim()`,
];

/** Before a row is looked at: an instance that waits here has claimed nothing. */
const gateFor = (allBut: string) => [
  `create function pass_gate() returns trigger language plpgsql as $$
   begin
     if current_setting('application_name') <> '${allBut}' then perform pg_advisory_xact_lock_shared(${GATE}); end if;
     return null;
   end $$`,
  `create trigger pass_gate before update of claim_ms on delegations for each statement execute function pass_gate()`,
];

export interface TakeOver {
  /** State of the order when its claimant had died. */
  readonly state: string;
  /** From the end of the dead one's lease until somebody else claimed the order, or it was back. */
  readonly secondsAfterLease: number | null;
  readonly secondsAfterDeath: number | null;
}

/** What instances claim, as the database sees it; one of them can be alone with that for a while. */
export class ClaimLog {
  private gate: HeldLock | undefined;

  private constructor(
    private readonly world: OrderWorld,
    private readonly dying: string,
  ) {}

  static async open(world: OrderWorld, dying: string): Promise<ClaimLog> {
    for (const text of [...LOG, ...gateFor(dying)]) await world.query(text);
    return new ClaimLog(world, dying);
  }

  /** From now on no other instance claims. */
  async keepOthersOut(): Promise<void> {
    this.gate = await HeldLock.take(this.world.database.url, 'select pg_advisory_xact_lock($1)', [GATE]);
  }

  async letOthersIn(): Promise<void> {
    await this.gate?.release();
    this.gate = undefined;
  }

  /** Claims of the dying one that have not ended. */
  held(): Promise<Record<string, unknown>[]> {
    return this.world.query(
      `select d.id, d.state from delegations d join claim_log l on l.order_id = d.id and l.epoch = d.epoch
        where l.claimant = $1 and l.state <> 'reclaimed' and d.claimed_until > clock_timestamp()`,
      [this.dying],
    );
  }

  /** By the database's clock, as the log. */
  async now(): Promise<string> {
    return String((await this.world.query('select clock_timestamp()::text as at'))[0]!['at']);
  }

  async takeOvers(held: readonly Record<string, unknown>[], diedAt: string): Promise<TakeOver[]> {
    const rows = await this.world.query(
      `select l.order_id as id, extract(epoch from next.at - l.claimed_until)::float as lease,
              extract(epoch from next.at - $2::timestamptz)::float as death
         from claim_log l, lateral (
                select min(o.at) as at from claim_log o where o.order_id = l.order_id and o.id > l.id and o.claimant <> $1) next
        where l.claimant = $1 and l.state <> 'reclaimed'`,
      [this.dying, diedAt],
    );
    const ofOrder = new Map(rows.map(({ id, lease, death }) => [id, { lease, death }]));
    return held.map(({ id, state }) => ({
      state: String(state),
      secondsAfterLease: (ofOrder.get(id)?.lease ?? null) as number | null,
      secondsAfterDeath: (ofOrder.get(id)?.death ?? null) as number | null,
    }));
  }
}
