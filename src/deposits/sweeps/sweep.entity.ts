import { defineEntity, p } from '@mikro-orm/core';
import { ASSETS } from '../deposit-states';
import { DepositAddress } from '../deposits.entities';
import { IS_OPEN_SWEEP, SWEEP_STATES } from './sweep-states';

/** What an address holds, on its way to the treasury: from before its bytes are signed, on a machine that the service does not know. */
export const DepositSweep = defineEntity({
  name: 'DepositSweep',
  tableName: 'deposit_sweeps',
  properties: {
    id: p.uuid().primary(),
    address: () =>
      p.manyToOne(DepositAddress).ref().fieldName('address').updateRule('no action').deleteRule('restrict'),
    asset: p.enum(ASSETS),
    /** In the asset's smallest unit. */
    amount: p.bigint('bigint'),
    state: p.enum(SWEEP_STATES).default('planned'),
    txId: p.text(),
    /** The bytes that were planned: no others are ever sent. */
    rawData: p.blob(),
    /** What the network counts of it, signature and result included. */
    bytes: p.integer(),
    signature: p.blob().nullable(),
    /** Block time in milliseconds. */
    expirationMs: p.bigint('bigint'),
    refBlockNumber: p.bigint('bigint'),
    /** Why it waits, was refused or has expired. */
    error: p.text().nullable(),
    /** While it is signed: no instance looks at it before. While its result is to be judged: when an instance looked last. */
    waitsUntil: p.datetime(6).nullable(),
    /** Final. While the state is `included`, the result in that block is not proved yet. */
    blockNumber: p.bigint('bigint').nullable(),
    /** The order whose energy the call uses, until that is asked to take it back. */
    energyOrderId: p.uuid().nullable(),
    createdAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
  checks: [
    { name: 'deposit_sweeps_amount_positive', expression: 'amount > 0' },
    { name: 'deposit_sweeps_signed', expression: `signature is not null or state in ('planned', 'expired')` },
  ],
  indexes: [
    { name: 'deposit_sweeps_address', properties: ['address', 'state'] },
    { name: 'deposit_sweeps_due', properties: ['waitsUntil'], where: `state = 'signed'` },
    { name: 'deposit_sweeps_energy', properties: ['energyOrderId'], where: 'energy_order_id is not null' },
    {
      name: 'deposit_sweeps_landed',
      properties: ['blockNumber'],
      where: `state = 'included' and block_number is not null`,
    },
    { name: 'deposit_sweeps_unsent', properties: ['expirationMs'], where: `state in ('planned', 'signed')` },
  ],
  uniques: [{ name: 'deposit_sweeps_one_open_per_address', properties: ['address', 'asset'], where: IS_OPEN_SWEEP }],
});
