import { defineEntity, p } from '@mikro-orm/core';

/** While one of these is open, something waits that only an operator, or another node, can decide. */
export const CHAIN_FAULTS = ['branch_refused', 'witnesses_disagree', 'witnesses_changed', 'block_unreadable'] as const;
export type ChainFaultKind = (typeof CHAIN_FAULTS)[number];

/** What keeps the chain from being believed, for the findings; gone once it is over. */
const ChainFaultSchema = defineEntity({
  name: 'ChainFault',
  tableName: 'chain_faults',
  properties: {
    kind: p.enum(CHAIN_FAULTS).primary(),
    parameters: p.json<Record<string, string>>(),
    firstSeenAt: p.datetime(6).defaultRaw('now()'),
    lastSeenAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class ChainFault extends ChainFaultSchema.class {}
ChainFaultSchema.setClass(ChainFault);
