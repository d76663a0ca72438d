import { toHexAddress } from '../../src/chain/tron/addresses';
import type { CareWorld } from './care-world';

const PARTS = 10n ** 18n;
const PERIOD_MS = 6 * 3_600_000;

interface Block {
  readonly block_header: { readonly raw_data: { timestamp?: number; witness_address?: string } };
  readonly transactions?: readonly {
    readonly ret: readonly { readonly contractRet: string }[];
    readonly raw_data: {
      readonly contract: readonly {
        readonly type: string;
        readonly parameter: {
          readonly value: { owner_address: string; votes?: { vote_address: string; vote_count: number }[] };
        };
      }[];
    };
  }[];
}
type Votes = ReadonlyMap<string, bigint>;

/** What holds before the first vote of the account. */
export interface Beginning {
  readonly height: number;
  readonly boundaryMs: number;
  readonly witnesses: Votes;
  readonly keepsPercent: number;
  readonly blockPaySun: number;
  readonly votePaySun: number;
}

export async function beginning(care: CareWorld): Promise<Beginning> {
  const head = (await care.world.node('wallet/getblock', { detail: false })) as {
    block_header: { raw_data: { number: number } };
  };
  const { num } = (await care.world.node('wallet/getnextmaintenancetime')) as { num: number };
  const { witnesses } = (await care.world.node('wallet/listwitnesses')) as {
    witnesses: { address: string; voteCount: number }[];
  };
  const { chainParameter } = (await care.world.node('wallet/getchainparameters')) as {
    chainParameter: { key: string; value?: number }[];
  };
  const { brokerage } = (await care.world.node('wallet/getBrokerage', { address: witnesses[0]!.address })) as {
    brokerage: number;
  };
  const value = (key: string) => chainParameter.find((one) => one.key === key)!.value!;
  return {
    height: head.block_header.raw_data.number,
    boundaryMs: num,
    witnesses: new Map(witnesses.map(({ address, voteCount }) => [address, BigInt(voteCount)])),
    keepsPercent: brokerage,
    blockPaySun: value('getWitnessPayPerBlock'),
    votePaySun: value('getWitness127PayPerBlock'),
  };
}

/**
 * What one voter gets of blocks, by the network's rule alone (a record of a real net meets it to the sun): every other vote stays as it was at the
 * beginning. It reads blocks, and nothing that a node reckons.
 */
export class RewardTruth {
  /** Per vote, in parts of a sun, at the end of each cycle. */
  private readonly grown = new Map<string, bigint[]>();
  private cycle = 0;
  private boundaryMs: number;
  private cycleSun = new Map<string, bigint>();
  private votes: Votes = new Map();
  private inForce: Votes = new Map();
  /** The cycle of the last collection, and the votes before it; from there on `votes` count. */
  private collected: { readonly cycle: number; readonly old: Votes } | null = null;
  private allowanceSun = 0n;
  readonly claims: bigint[] = [];

  constructor(
    private readonly owner: string,
    private readonly from: Beginning,
  ) {
    this.boundaryMs = from.boundaryMs;
    for (const witness of from.witnesses.keys()) this.grown.set(witness, []);
  }

  async readAll(care: CareWorld): Promise<void> {
    const head = (await care.world.node('wallet/getblock', { detail: false })) as {
      block_header: { raw_data: { number: number } };
    };
    for (let height = this.from.height + 1; height <= head.block_header.raw_data.number; height++)
      this.take((await care.world.node('wallet/getblockbynum', { num: height })) as unknown as Block);
  }

  /** What a claim would bring now. */
  get pendingSun(): bigint {
    return this.allowanceSun + this.uncollected();
  }

  private take({ block_header: { raw_data: header }, transactions = [] }: Block): void {
    for (const { ret, raw_data: raw } of transactions) {
      const { type, parameter } = raw.contract[0]!;
      if (ret[0]?.contractRet !== 'SUCCESS' || parameter.value.owner_address !== this.owner) continue;
      if (type === 'VoteWitnessContract') this.vote(parameter.value.votes!);
      if (type === 'WithdrawBalanceContract') this.claim();
    }
    this.pay(header.witness_address!);
    if (header.timestamp! >= this.boundaryMs) this.closeCycle(header.timestamp!);
  }

  private vote(votes: readonly { vote_address: string; vote_count: number }[]): void {
    this.collect();
    this.votes = new Map(votes.map(({ vote_address: to, vote_count: count }) => [to, BigInt(count)]));
  }

  private claim(): void {
    this.collect();
    this.claims.push(this.allowanceSun);
    this.allowanceSun = 0n;
  }

  private collect(): void {
    if (this.collected?.cycle === this.cycle) return;
    this.allowanceSun += this.uncollected();
    this.collected = { cycle: this.cycle, old: this.votes };
  }

  private uncollected(): bigint {
    if (!this.collected || this.collected.cycle >= this.cycle) return 0n;
    const { cycle, old } = this.collected;
    return this.between(old, cycle, cycle + 1) + this.between(this.votes, cycle + 1, this.cycle);
  }

  private between(votes: Votes, begin: number, end: number): bigint {
    const before = (witness: string, cycle: number) => (cycle > 0 ? this.grown.get(witness)![cycle - 1]! : 0n);
    return [...votes].reduce(
      (sum, [witness, count]) => sum + ((before(witness, end) - before(witness, begin)) * count) / PARTS,
      0n,
    );
  }

  private pay(maker: string): void {
    const { witnesses, votePaySun, blockPaySun, keepsPercent } = this.from;
    const counts = [...witnesses].map(
      ([witness, count]) => [witness, count + (this.inForce.get(witness) ?? 0n)] as const,
    );
    const eachVote = votePaySun / Number(counts.reduce((sum, [, count]) => sum + count, 0n));
    for (const [witness, count] of counts) {
      const pays = [Math.trunc(Number(count) * eachVote), ...(witness === maker ? [blockPaySun] : [])];
      const ofVoters = pays.reduce((sum, sun) => sum + sun - Math.trunc((keepsPercent / 100) * sun), 0);
      this.cycleSun.set(witness, (this.cycleSun.get(witness) ?? 0n) + BigInt(ofVoters));
    }
  }

  private closeCycle(blockMs: number): void {
    for (const [witness, count] of this.from.witnesses) {
      const inForce = count + (this.inForce.get(witness) ?? 0n);
      const all = this.grown.get(witness)!;
      all.push((all.at(-1) ?? 0n) + ((this.cycleSun.get(witness) ?? 0n) * PARTS) / inForce);
    }
    this.cycleSun = new Map();
    this.inForce = this.votes;
    this.cycle += 1;
    this.boundaryMs += (Math.floor((blockMs - this.boundaryMs) / PERIOD_MS) + 1) * PERIOD_MS;
  }
}

export function ownerOf(care: CareWorld): string {
  return toHexAddress(care.address);
}
