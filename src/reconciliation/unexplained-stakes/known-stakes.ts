import type { Undecided } from '../../findings/finding.repository';
import type { AtMost } from '../chain/chain-comparison';
import type { DelegatedResourceFinding } from '../chain/delegated-resource-findings';
import { type DelegatedResource, keyOf } from '../chain/delegated-resources';

export interface KnownStake {
  readonly wallet_id: string;
  readonly wallet: string;
  readonly address: string;
  readonly receiver: string;
  readonly foreign_sun: bigint;
  readonly missing_sun: bigint;
}

/** As they were before a run. */
export class KnownStakes {
  constructor(private readonly stakes: readonly KnownStake[]) {}

  pairs(): DelegatedResource[] {
    return this.stakes.map(({ wallet_id: walletId, wallet, address: walletAddress, receiver }) => ({
      walletId,
      wallet,
      walletAddress,
      receiver,
      leastSun: 0n,
      mostSun: 0n,
    }));
  }

  readAgain(atMost: ReadonlyMap<string, AtMost>): { stake: KnownStake; most: AtMost }[] {
    return this.stakes.flatMap((stake) => {
      const most = atMost.get(keyOf(pairOf(stake)));
      return most ? [{ stake, most }] : [];
    });
  }

  undecided(
    findings: readonly DelegatedResourceFinding[],
    atMost: ReadonlyMap<string, AtMost>,
  ): Omit<Undecided, 'walletIds'> {
    const found = new Map(findings.map((finding) => [keyOf(finding.about), finding]));
    const readAgain = this.readAgain(atMost).map(({ stake, most }) => ({
      pair: pairOf(stake),
      foreign: stake.foreign_sun > 0n && most.foreignSun > 0n && !found.get(keyOf(pairOf(stake)))?.foreignSun,
      missing: stake.missing_sun > 0n && most.missingSun > 0n && !found.get(keyOf(pairOf(stake)))?.missingSun,
    }));
    return {
      foreign: readAgain.filter(({ foreign }) => foreign).map(({ pair }) => pair),
      missing: readAgain.filter(({ missing }) => missing).map(({ pair }) => pair),
    };
  }
}

function pairOf({ wallet_id: walletId, receiver }: KnownStake): { walletId: string; receiver: string } {
  return { walletId, receiver };
}
