import type { WhyRefused } from '../../common/why-refused';

/** Why no orders are taken, as strangers see it: what the pool has and which part of the service fails is the operator's. */
export type PublicCause = 'paused' | 'energy' | 'chain' | 'restored';

/** `down`: no instance was there, or none reached the database. */
export type OutageCause = Exclude<PublicCause, 'paused'> | 'down';

export const CAUSES: Readonly<Record<WhyRefused, PublicCause>> = {
  switch: 'paused',
  node: 'chain',
  restored: 'restored',
  noWallet: 'energy',
  noneActive: 'energy',
  unread: 'energy',
  stake: 'energy',
  fees: 'energy',
  key: 'energy',
  signer: 'energy',
  rests: 'energy',
  other: 'energy',
};
