import { Injectable } from '@nestjs/common';
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

/** What a node shows in its solid view of an account's stake, and by it. */
export interface StakeView {
  /** Its solid block before the reading. */
  readonly block: number;
  readonly account: AccountView;
  /** Whole votes by witness, base58check. */
  readonly votes: ReadonlyMap<string, bigint>;
  /** Whole votes that it could cast, as of the head: the most that any node says. A vote of less would replace one of more. */
  readonly power: bigint;
  /** The least that any node says of the account's TRX: no single one has more frozen than there is. */
  readonly liquidSun: bigint;
  readonly rewardSun: bigint;
  /** 0: it has never claimed. */
  readonly lastClaimMs: number;
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

  /** Null for an account that does not exist. Account and reward are one node's, for they belong together. */
  async read(address: string): Promise<StakeView | null> {
    const hexAddress = toHexAddress(address);
    const [url] = this.reads.solidUrls;
    const body = { address: hexAddress };
    const { number: block } = await this.reads.solidHead(url);
    const ofNode = <T>(node: string | undefined, route: string, read: (found: Answer) => T) =>
      this.client.ask('walletsolidity', route, { ...body }, read, READ_TIMEOUT_MS, node);
    const stakes = this.nodes
      .urls('walletsolidity')
      .filter((node) => node !== url)
      .map((node) => ofNode(node, 'getaccount', (found) => amountIn(found, 'balance')));
    const [account, others] = await Promise.all([
      ofNode(url, 'getaccount', (found) => readStake(found, hexAddress)),
      Promise.allSettled(stakes),
    ]);
    if (account === null) return null;
    const rewardSun = await ofNode(url, 'getReward', (found) => amountAtMost(MOST_SUN, found, 'reward'));
    // Full nodes alone have this route.
    const powers = await this.fromEach('wallet', 'getaccountresource', body, (found) =>
      amountAtMost(MOST_VOTES, found, 'tronPowerLimit'),
    );
    const power = powers.reduce((most, one) => (one > most ? one : most), 0n);
    const balances = others.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const liquidSun = balances.reduce((least, one) => (one < least ? one : least), account.account.balanceSun);
    return { block, ...account, rewardSun, power, liquidSun };
  }

  /** From those that answer; one at least. */
  private async fromEach<T>(kind: NodeKind, route: string, body: object, read: (found: Answer) => T): Promise<T[]> {
    const asked = this.nodes
      .urls(kind)
      .map((url) => this.client.ask(kind, route, { ...body }, read, READ_TIMEOUT_MS, url));
    const answers = await Promise.allSettled(asked);
    const values = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (values.length === 0) throw failed?.reason ?? new NodeUnavailableError(`no node answers ${route}`);
    return values;
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

  /** All candidates: those with most votes first. */
  candidates(): Promise<Candidate[]> {
    return this.client.ask('wallet', 'listwitnesses', {}, (found) =>
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

  /** Per cent of its pay that a witness keeps from its voters. */
  brokerage(witness: string): Promise<bigint> {
    const body = { address: toHexAddress(witness) };
    return this.client.ask('wallet', 'getBrokerage', body, (found) => amountAtMost(100n, found, 'brokerage'));
  }

  /** What the nodes that show the solid chain say a claim or withdrawal has brought: those that answer and have the transaction. */
  async received(txId: string): Promise<bigint[]> {
    const read = (found: Answer) => readReceived(found, txId);
    const said = await this.fromEach('walletsolidity', 'gettransactioninfobyid', { value: txId }, read);
    return said.filter((sun) => sun !== null);
  }
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
