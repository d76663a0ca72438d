import { Injectable } from '@nestjs/common';
import { type Finding, finding } from '../../findings/finding';
import { DAY_MS, PERIOD_MS } from '../../stake-care/care-periods';
import { CareRepository, type CareRow } from '../../stake-care/care.repository';

/** The care has had its turn by then. */
const IDLE_FOR_MS = PERIOD_MS + 3_600_000;
const UNCLAIMED_FOR_MS = 7 * DAY_MS;
const READY_FOR_MS = DAY_MS;

/** What stakes with care do not earn, by the last look at each. */
@Injectable()
export class StakeAlarms {
  constructor(private readonly cares: CareRepository) {}

  async read(): Promise<Finding[]> {
    return (await this.cares.list()).flatMap(ofCare);
  }
}

function ofCare(care: CareRow): Finding[] {
  const { id, name, key_fault: fault, unpaid_witnesses: unpaid, read_ms: readMs } = care;
  const about = { type: 'wallet', walletId: id, wallet: name } as const;
  const lastsFor = (sinceMs: bigint | null, leastMs: number) =>
    sinceMs !== null && readMs !== null && readMs - sinceMs >= BigInt(leastMs) ? timeOf(sinceMs) : null;
  const [idle, reward, ready] = [
    lastsFor(care.idle_since_ms, IDLE_FOR_MS),
    lastsFor(care.reward_since_ms, UNCLAIMED_FOR_MS),
    lastsFor(care.ripe_since_ms, READY_FOR_MS),
  ];
  const found: Finding[] = [];
  if (idle !== null) {
    const votes = { idle_votes: String(care.idle_votes), power: String(care.power) };
    found.push(finding('votes_idle', { ...votes, since: idle }, about));
  }
  if (reward !== null)
    found.push(finding('reward_unclaimed', { reward_sun: String(care.reward_sun), since: reward }, about));
  if (ready !== null) found.push(finding('unfrozen_ready', { ripe_sun: String(care.ripe_sun), since: ready }, about));
  if (fault !== null) found.push(finding('care_key', { fault }, about));
  if (unpaid.length > 0) found.push(finding('witness_pays_nothing', { witnesses: unpaid.join(', ') }, about));
  return found;
}

function timeOf(ms: bigint): string {
  return new Date(Number(ms)).toISOString();
}
