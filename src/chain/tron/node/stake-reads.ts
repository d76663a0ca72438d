import { Injectable } from '@nestjs/common';
import { leastBy } from '../../../common/least-by';
import { SUN_PER_TRX } from '../../../common/money/sun';
import { toBase58Address, toHexAddress } from '../addresses';
import { type AccountView, readAccountView } from './account-view';
import { amountAtMost, amountIn, MOST_SUN, notUnderstood, recordsIn, requireAddress } from './answer.reader';
import { ChainReads } from './chain-reads';
import { ConfiguredNodes } from './configured-nodes';
import { NodeClient } from './node-client';
import { NodeUnavailableError } from './node-errors';
import { type NodeKind, READ_TIMEOUT_MS } from './node-pool';
import { nodeText } from './node-text';
import { readUnfreezing, type Unfreezing } from './unfreezing';

type Answer = Record<string, unknown>;

/** What nodes show in their solid views of an account's stake, and by it. */
export interface StakeView {
  /** The solid block before the reading, of the node that is asked first. */
  readonly block: number;
  readonly account: AccountView;
  /** Whole votes by witness, base58check: the fewest that any node says. */
  readonly votes: ReadonlyMap<string, bigint>;
  /** Whole votes that it could cast, as of the head: the most that any node says. A vote of less would replace one of more. */
  readonly power: bigint;
  /** The least that any node says of it, or that the stake of any node's account gives. */
  readonly leastPower: bigint;
  /** The least that any node says of the account's TRX: no single one has more frozen than there is. */
  readonly liquidSun: bigint;
  /** The most that any node says. */
  readonly rewardSun: bigint;
  /** The earliest that any node says; 0: it has never claimed. */
  readonly lastClaimMs: number;
  /** The most that any node says. */
  readonly unfreezing: readonly Unfreezing[];
}

/** What the network's parameters make of an unfreezing. */
export interface UnfreezeRules {
  readonly delayMs: number;
  /** Where ALLOW_NEW_RESOURCE_MODEL is on, an account's first unfreezing takes all votes, and stake for energy and bandwidth gives none from then on. */
  readonly endsVotes: boolean;
}

/** Somebody whom stake can vote for. */
export interface Candidate {
  /** base58check */
  readonly address: string;
  readonly votes: bigint;
  /** Blocks that it has made in all its time. */
  readonly madeBlocks: bigint;
  /** As it has registered itself: any text. */
  readonly url: string;
}

const DAY_MS = 86_400_000;
/** The network allows no longer one. */
const MOST_DELAY_DAYS = 365n;
/** Whole TRX that exist, and blocks that were ever made, are fewer. */
const MOST_VOTES = 10n ** 12n;
const MOST_BLOCKS = 10n ** 12n;
/** For one block, a thousand times what the network pays. */
const MOST_PAY_SUN = 10n ** 12n;
/** A day later is still a time that a Date can hold. */
const LATEST_CLAIM_MS = 8_640_000_000_000_000n - BigInt(DAY_MS);

/** What nodes say about votes, rewards and stake that is being unfrozen. Every method throws NodeUnavailableError. */
@Injectable()
export class StakeReads {
  constructor(
    private readonly client: NodeClient,
    private readonly reads: ChainReads,
    private readonly nodes: ConfiguredNodes,
  ) {}

  /**
   * Null for an account that no node shows. Of what the nodes say counts what has something done for the stake: one that lies can have a
   * transaction sent in vain, and cannot have the care do nothing.
   */
  async read(address: string): Promise<StakeView | null> {
    const hexAddress = toHexAddress(address);
    const [first] = this.reads.solidUrls;
    const { number: block } = await this.reads.solidHead(first);
    const urls = new Set([first, ...this.nodes.urls('walletsolidity')]);
    const shown = (await answersOf([...urls].map((url) => this.readFrom(url, hexAddress)))).filter(
      (stake) => stake !== null,
    );
    if (shown.length === 0) return null;
    // Full nodes alone have this route.
    const powers = await this.fromEach('wallet', 'getaccountresource', { address: hexAddress }, (found) =>
      amountAtMost(MOST_VOTES, found, 'tronPowerLimit'),
    );
    return {
      block,
      account: shown[0]!.account,
      votes: leastBy(shown, ({ votes }) => sumOf(votes.values())).votes,
      power: leastBy(powers, (power) => -power),
      leastPower: leastBy([...powers, ...shown.map(({ account }) => powerOfStake(account))], (power) => power),
      liquidSun: leastBy(shown, ({ account }) => account.balanceSun).account.balanceSun,
      rewardSun: leastBy(shown, ({ rewardSun }) => -rewardSun).rewardSun,
      lastClaimMs: Math.min(...shown.map(({ lastClaimMs }) => lastClaimMs)),
      unfreezing: leastBy(shown, ({ unfreezing }) => -sumOf(unfreezing.map(({ sun }) => sun))).unfreezing,
    };
  }

  /** The least that any node says of the account's TRX, as of its head. */
  async liquidNow(address: string): Promise<bigint> {
    const body = { address: toHexAddress(address) };
    const said = await this.fromEach('wallet', 'getaccount', body, (found) => readAccountView(found).balanceSun);
    return leastBy(said, (sun) => sun);
  }

  /** Account and reward of one node. */
  private async readFrom(url: string | undefined, hexAddress: string) {
    const ask = <T>(route: string, read: (found: Answer) => T) =>
      this.client.ask('walletsolidity', route, { address: hexAddress }, read, READ_TIMEOUT_MS, url);
    const stake = await ask('getaccount', (found) => readStake(found, hexAddress));
    return stake && { ...stake, rewardSun: await ask('getReward', (found) => amountAtMost(MOST_SUN, found, 'reward')) };
  }

  /** From those that answer; one at least. */
  private async fromEach<T>(kind: NodeKind, route: string, body: object, read: (found: Answer) => T): Promise<T[]> {
    const urls = this.nodes.urls(kind);
    if (urls.length === 0) throw new NodeUnavailableError(`no node answers ${route}`);
    return answersOf(urls.map((url) => this.client.ask(kind, route, { ...body }, read, READ_TIMEOUT_MS, url)));
  }

  /** How many more unfreezings may wait at the same time. */
  unfreezeSlots(address: string): Promise<bigint> {
    const body = { owner_address: toHexAddress(address) };
    return this.client.ask('wallet', 'getavailableunfreezecount', body, (found) => amountIn(found, 'count'));
  }

  unfreezeRules(): Promise<UnfreezeRules> {
    return this.client.ask('wallet', 'getchainparameters', {}, (found) => ({
      delayMs: Number(parameterIn(MOST_DELAY_DAYS, found, 'getUnfreezeDelayDays')) * DAY_MS,
      endsVotes: parameterIn(1n, found, 'getAllowNewResourceModel') === 1n,
    }));
  }

  /** All candidates, by each node that answers: those with most votes first. */
  candidates(): Promise<Candidate[][]> {
    return this.fromEach('wallet', 'listwitnesses', {}, (found) =>
      recordsIn(found, 'witnesses')
        .map(({ url, ...witness }) => ({
          address: addressIn(witness, 'address'),
          votes: amountAtMost(MOST_VOTES, witness, 'voteCount'),
          madeBlocks: amountAtMost(MOST_BLOCKS, witness, 'totalProduced'),
          url: typeof url === 'string' ? nodeText(url) : '',
        }))
        .toSorted((one, other) => (one.votes < other.votes ? 1 : one.votes > other.votes ? -1 : 0)),
    );
  }

  /** What the network pays for each block: to its maker, and to all by votes. */
  witnessPay(): Promise<{ readonly blockSun: bigint; readonly votesSun: bigint }> {
    return this.client.ask('wallet', 'getchainparameters', {}, (found) => ({
      blockSun: parameterIn(MOST_PAY_SUN, found, 'getWitnessPayPerBlock'),
      votesSun: parameterIn(MOST_PAY_SUN, found, 'getWitness127PayPerBlock'),
    }));
  }

  /** Per cent of its pay that a witness keeps from its voters: the least that any node says. */
  async brokerage(witness: string): Promise<bigint> {
    const said = await this.fromEach('wallet', 'getBrokerage', { address: toHexAddress(witness) }, (found) =>
      amountAtMost(100n, found, 'brokerage'),
    );
    return leastBy(said, (kept) => kept);
  }

  /** What the nodes that show the solid chain say a claim or withdrawal has brought: those that answer and have the transaction. */
  async received(txId: string): Promise<bigint[]> {
    const read = (found: Answer) => readReceived(found, txId);
    const said = await this.fromEach('walletsolidity', 'gettransactioninfobyid', { value: txId }, read);
    return said.filter((sun) => sun !== null);
  }
}

/** The answers of those that give one; the first failure where none does. */
async function answersOf<T>(asked: readonly Promise<T>[]): Promise<T[]> {
  const answers = await Promise.allSettled(asked);
  const values = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (values.length === 0 && failed) throw failed.reason;
  return values;
}

/** Lending costs no vote. */
function powerOfStake({ energySun, bandwidthSun, lentEnergySun, lentBandwidthSun }: AccountView): bigint {
  return (energySun + bandwidthSun + lentEnergySun + lentBandwidthSun) / SUN_PER_TRX;
}

function sumOf(amounts: Iterable<bigint>): bigint {
  return [...amounts].reduce((sum, one) => sum + one, 0n);
}

function readStake(found: Answer, hexAddress: string) {
  if (Object.keys(found).length === 0) return null;
  requireAddress(found, 'address', hexAddress);
  const votes = recordsIn(found, 'votes').map(
    (vote) => [addressIn(vote, 'vote_address'), amountAtMost(MOST_VOTES, vote, 'vote_count')] as const,
  );
  return {
    account: readAccountView(found),
    votes: new Map(votes),
    lastClaimMs: Number(amountAtMost(LATEST_CLAIM_MS, found, 'latest_withdraw_time')),
    unfreezing: readUnfreezing(found).filter(({ sun }) => sun > 0n),
  };
}

function parameterIn(most: bigint, found: Answer, name: string): bigint {
  const parameter = recordsIn(found, 'chainParameter').find(({ key }) => key === name);
  const value = amountIn(parameter ?? {}, 'value');
  if (value > most) throw notUnderstood(name);
  return value;
}

function readReceived(found: Answer, txId: string): bigint | null {
  if (Object.keys(found).length === 0) return null;
  if (found['id'] !== txId) throw notUnderstood('id');
  const sun = amountIn(found, 'withdraw_amount') + amountIn(found, 'withdraw_expire_amount');
  if (sun > MOST_SUN) throw notUnderstood('withdraw_amount');
  return sun;
}

function addressIn(answer: Answer, field: string): string {
  const hex = answer[field];
  if (typeof hex !== 'string' || !/^41[0-9a-f]{40}$/i.test(hex)) throw notUnderstood(field);
  return toBase58Address(hex);
}
