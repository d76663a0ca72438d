import { defineEntity, p } from '@mikro-orm/core';
import { PoolWallet } from '../chain/pool/wallets/pool-wallet.entity';
import { OPERATION_KINDS, OPERATION_STATES, RESOURCE_NAMES, type VoteShare, type Votes } from './stake-operation';

/** How the stake of a wallet is cared for. */
export const StakeCare = defineEntity({
  name: 'StakeCare',
  tableName: 'stake_care',
  properties: {
    wallet: () => p.manyToOne(PoolWallet).primary().ref().updateRule('no action').deleteRule('restrict'),
    /** Where the signing key is read from, never the key: as a pool wallet's. */
    keySource: p.text(),
    permissionId: p.integer(),
    votes: p.json<readonly VoteShare[]>().defaultRaw(`'[]'`),
    claims: p.boolean().default(true),
    restakes: p.boolean().default(false),
    keepLiquidSun: p.bigint('bigint'),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** By machine: why the key cannot do what it should; under an empty name, what every machine sees. */
    keyFaults: p
      .json<Readonly<Record<string, { readonly reason: string; readonly at_ms: number }>>>()
      .defaultRaw(`'{}'`),
  },
  checks: [{ name: 'stake_care_keeps_some', expression: 'keep_liquid_sun >= 0' }],
});

/** What a node has said of the stake of a wallet that lends. */
export const StakeReading = defineEntity({
  name: 'StakeReading',
  tableName: 'stake_readings',
  properties: {
    wallet: () => p.manyToOne(PoolWallet).primary().ref().updateRule('no action').deleteRule('cascade'),
    triedAt: p.datetime(6),
    /** Looks in vain since the last reading. */
    failures: p.integer().default(0),
    /** Block time. */
    readMs: p.bigint('bigint').nullable(),
    /** The node's solid block. */
    readBlock: p.bigint('bigint').nullable(),
    power: p.bigint('bigint').defaultRaw('0'),
    idleVotes: p.bigint('bigint').defaultRaw('0'),
    rewardSun: p.bigint('bigint').defaultRaw('0'),
    /** Unfrozen, and not withdrawn. */
    ripeSun: p.bigint('bigint').defaultRaw('0'),
    /** Block time from which on each of these has been so. */
    idleSinceMs: p.bigint('bigint').nullable(),
    rewardSinceMs: p.bigint('bigint').nullable(),
    ripeSinceMs: p.bigint('bigint').nullable(),
    /** Witnesses. */
    votedFor: p.json<readonly string[]>().defaultRaw(`'[]'`),
  },
});

/** What a node has said of a witness that a wallet votes for or its care names: last in each period. */
export const StakeWitness = defineEntity({
  name: 'StakeWitness',
  tableName: 'stake_witnesses',
  properties: {
    address: p.text().primary(),
    period: p.bigint('bigint').primary(),
    readAt: p.datetime(6),
    /** Block time. */
    readMs: p.bigint('bigint'),
    /** Its name, as far as it has one: any text. */
    url: p.text(),
    /** From 1 on; null: it is not among the candidates. */
    rank: p.integer().nullable(),
    keepsPercent: p.integer(),
    votes: p.bigint('bigint'),
    /** All that the network pays by votes, together. */
    votesOfPaid: p.bigint('bigint'),
    /** Blocks that it has made, and all candidates together, in all their time. */
    madeBlocks: p.bigint('bigint'),
    allBlocks: p.bigint('bigint'),
    /** What the network pays for a block: to its maker, and to all by votes. */
    blockPaySun: p.bigint('bigint'),
    votePaySun: p.bigint('bigint'),
  },
});

/** A transaction that an operator or the care wants, from before its bytes exist. */
export const StakeOperation = defineEntity({
  name: 'StakeOperation',
  tableName: 'stake_operations',
  properties: {
    id: p.uuid().primary(),
    wallet: () => p.manyToOne(PoolWallet).ref().updateRule('no action').deleteRule('restrict'),
    kind: p.enum(OPERATION_KINDS),
    resource: p.enum(RESOURCE_NAMES).nullable(),
    /** A claim or withdrawal shows what was expected of it, and once that is known, what it has brought. */
    amountSun: p.bigint('bigint').nullable(),
    votes: p.json<Votes>().nullable(),
    /** Why the care wants it: for one reason it is tried once. Null: an operator has asked for it. */
    occasion: p.text().nullable(),
    requestedBy: p.text(),
    state: p.enum(OPERATION_STATES).default('planned'),
    txId: p.text().nullable(),
    error: p.text().nullable(),
    /** While it is planned: until then the process that has planned it signs it. */
    claimedUntil: p.datetime(6).nullable(),
    blockNumber: p.bigint('bigint').nullable(),
    finalAt: p.datetime(6).nullable(),
    /** What it has brought is known, or it brings nothing. */
    isPaid: p.boolean().default(false),
    /** An unfreezing, or the end of all: what was ripe by then, which the network pays out with it. */
    paidOutSun: p.bigint('bigint').nullable(),
    /** A claim: how what it has brought is staked again. Decided once, for the first of the two freezes changes what the wallet has. */
    restakeEnergySun: p.bigint('bigint').nullable(),
    restakeBandwidthSun: p.bigint('bigint').nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  checks: [
    {
      name: 'stake_operations_resource',
      expression: `(resource is not null) = (kind in ('freeze', 'unfreeze'))`,
    },
    {
      name: 'stake_operations_restake',
      expression: '(restake_energy_sun is null) = (restake_bandwidth_sun is null)',
    },
  ],
  indexes: [
    { name: 'stake_operations_wallet', properties: ['wallet', 'createdAt'] },
    { name: 'stake_operations_final', properties: ['wallet', 'kind', 'blockNumber'], where: `state = 'final'` },
    { name: 'stake_operations_unpaid', properties: ['createdAt'], where: `state = 'final' and not is_paid` },
  ],
  uniques: [
    {
      name: 'stake_operations_one_open_per_kind',
      properties: ['wallet', 'kind'],
      where: `state in ('planned', 'signed', 'sent', 'refused', 'included')`,
    },
    {
      name: 'stake_operations_occasion',
      properties: ['wallet', 'kind', 'occasion'],
      where: 'occasion is not null',
    },
  ],
});

/** What a wallet's votes have brought on one UTC day. */
export const StakeReward = defineEntity({
  name: 'StakeReward',
  tableName: 'stake_rewards',
  properties: {
    wallet: () => p.manyToOne(PoolWallet).primary().ref().updateRule('no action').deleteRule('restrict'),
    day: p.date().primary(),
    claimedSun: p.bigint('bigint'),
  },
  checks: [{ name: 'stake_rewards_positive', expression: 'claimed_sun > 0' }],
});
