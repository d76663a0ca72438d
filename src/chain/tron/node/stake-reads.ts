import { Injectable } from '@nestjs/common';
import { toBase58Address, toHexAddress } from '../addresses';
import { type AccountView, readAccountView } from './account-view';
import { amountIn, notUnderstood, recordsIn, requireAddress } from './answer.reader';
import { ChainReads } from './chain-reads';
import { ConfiguredNodes } from './configured-nodes';
import { NodeClient } from './node-client';
import { NodeUnavailableError } from './node-errors';
import { type NodeKind, READ_TIMEOUT_MS } from './node-pool';
import { nodeText } from './node-text';

type Answer = Record<string, unknown>;

/** Stake that is on its way back to the account's TRX. */
export interface Unfreezing {
  readonly sun: bigint;
  readonly availableMs: number;
}

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
/** Above all TRX that exist. */
const MOST_SUN = 10n ** 18n;

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
    const { number: block } = await this.reads.solidHead(url);
    const ask = <T>(route: string, read: (found: Answer) => T) =>
      this.client.ask('walletsolidity', route, { address: hexAddress }, read, READ_TIMEOUT_MS, url);
    const account = await ask('getaccount', (found) => readStake(found, hexAddress));
    if (account === null) return null;
    const rewardSun = await ask('getReward', (found) => amountIn(found, 'reward'));
    const body = { address: hexAddress };
    // Full nodes alone have this route.
    const powers = await this.fromEach('wallet', 'getaccountresource', body, (found) =>
      amountIn(found, 'tronPowerLimit'),
    );
    const balances = await this.fromEach('walletsolidity', 'getaccount', body, (found) => amountIn(found, 'balance'));
    const power = powers.reduce((most, one) => (one > most ? one : most), 0n);
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

  unfreezeDelayMs(): Promise<number> {
    return this.client.ask('wallet', 'getchainparameters', {}, (found) => {
      const days = parameterIn(found, 'getUnfreezeDelayDays');
      if (days > MOST_DELAY_DAYS) throw notUnderstood('getUnfreezeDelayDays');
      return Number(days) * DAY_MS;
    });
  }

  /** All candidates: those with most votes first. */
  candidates(): Promise<Candidate[]> {
    return this.client.ask('wallet', 'listwitnesses', {}, (found) =>
      recordsIn(found, 'witnesses')
        .map(({ url, ...witness }) => ({
          address: addressIn(witness, 'address'),
          votes: amountIn(witness, 'voteCount'),
          madeBlocks: amountIn(witness, 'totalProduced'),
          url: typeof url === 'string' ? nodeText(url) : '',
        }))
        .toSorted((one, other) => (one.votes < other.votes ? 1 : one.votes > other.votes ? -1 : 0)),
    );
  }

  /** What the network pays for each block: to its maker, and to all by votes. */
  witnessPay(): Promise<{ readonly blockSun: bigint; readonly votesSun: bigint }> {
    return this.client.ask('wallet', 'getchainparameters', {}, (found) => ({
      blockSun: parameterIn(found, 'getWitnessPayPerBlock'),
      votesSun: parameterIn(found, 'getWitness127PayPerBlock'),
    }));
  }

  /** Per cent of its pay that a witness keeps from its voters. */
  brokerage(witness: string): Promise<bigint> {
    const body = { address: toHexAddress(witness) };
    return this.client.ask('wallet', 'getBrokerage', body, (found) => {
      const percent = amountIn(found, 'brokerage');
      if (percent > 100n) throw notUnderstood('brokerage');
      return percent;
    });
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
    (vote) => [addressIn(vote, 'vote_address'), amountIn(vote, 'vote_count')] as const,
  );
  const unfreezing = recordsIn(found, 'unfrozenV2').map((one) => ({
    sun: amountIn(one, 'unfreeze_amount'),
    availableMs: Number(amountIn(one, 'unfreeze_expire_time')),
  }));
  return {
    account: readAccountView(found),
    votes: new Map(votes),
    lastClaimMs: Number(amountIn(found, 'latest_withdraw_time')),
    unfreezing: unfreezing.filter(({ sun }) => sun > 0n),
  };
}

function parameterIn(found: Answer, name: string): bigint {
  const parameter = recordsIn(found, 'chainParameter').find(({ key }) => key === name);
  return amountIn(parameter ?? {}, 'value');
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
