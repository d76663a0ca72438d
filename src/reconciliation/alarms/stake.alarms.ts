import { Injectable } from '@nestjs/common';
import { type Finding, finding } from '../../findings/finding';
import { DAY_MS, PERIOD_MS } from '../../stake-care/care-periods';
import type { ReadingRow } from '../../stake-care/readings/reading-row';
import { ReadingRepository } from '../../stake-care/readings/reading.repository';
import { paysVoters } from '../../stake-care/readings/witness-yield';
import { WitnessRepository } from '../../stake-care/readings/witness.repository';

/** The care has had its turn by then. */
const IDLE_FOR_MS = PERIOD_MS + 3_600_000;
const UNCLAIMED_FOR_MS = 7 * DAY_MS;
/** Without care there is none to wait for. */
const READY_FOR_MS = DAY_MS;

/** What stakes do not earn, by the last look at each: also those without care, whose rewards are the owner's just as much. */
@Injectable()
export class StakeAlarms {
  constructor(
    private readonly readings: ReadingRepository,
    private readonly witnesses: WitnessRepository,
  ) {}

  async read(): Promise<Finding[]> {
    const [readings, witnesses] = [await this.readings.list(), await this.witnesses.byAddress()];
    const isUnpaid = (address: string) => {
      const newest = witnesses.get(address)?.at(-1);
      return newest !== undefined && !paysVoters(newest);
    };
    return readings.flatMap((reading) => ofStake(reading, [...new Set(reading.witnesses)].filter(isUnpaid)));
  }
}

function ofStake(reading: ReadingRow, unpaid: readonly string[]): Finding[] {
  const { id, name, key_fault: fault, read_ms: readMs, has_care: hasCare } = reading;
  const about = { type: 'wallet', walletId: id, wallet: name } as const;
  const lastsFor = (sinceMs: bigint | null, leastMs: number) =>
    sinceMs !== null && readMs !== null && readMs - sinceMs >= BigInt(leastMs) ? timeOf(sinceMs) : null;
  const [idle, reward, ready] = [
    lastsFor(reading.idle_since_ms, IDLE_FOR_MS),
    lastsFor(reading.reward_since_ms, UNCLAIMED_FOR_MS),
    lastsFor(reading.ripe_since_ms, hasCare ? READY_FOR_MS : 0),
  ];
  const found: Finding[] = [];
  if (idle !== null) {
    const votes = { idle_votes: String(reading.idle_votes), power: String(reading.power) };
    found.push(finding('votes_idle', { ...votes, since: idle }, about));
  }
  if (reward !== null)
    found.push(finding('reward_unclaimed', { reward_sun: String(reading.reward_sun), since: reward }, about));
  if (ready !== null)
    found.push(finding('unfrozen_ready', { ripe_sun: String(reading.ripe_sun), since: ready }, about));
  if (fault !== null) found.push(finding('care_key', { fault }, about));
  if (unpaid.length > 0) found.push(finding('witness_pays_nothing', { witnesses: unpaid.join(', ') }, about));
  return found;
}

function timeOf(ms: bigint): string {
  return new Date(Number(ms)).toISOString();
}
