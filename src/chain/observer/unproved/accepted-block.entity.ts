import { defineEntity, p } from '@mikro-orm/core';

/** `nodes`: all that are configured list the same for it, and what wallets lend agrees; `operator`: `chain:accept-block`. */
export const ACCEPTED_BY = ['nodes', 'operator'] as const;
export type AcceptedBy = (typeof ACCEPTED_BY)[number];

/** Final blocks whose transactions cannot be proved, and that were settled by what nodes list for them. */
const AcceptedBlockSchema = defineEntity({
  name: 'AcceptedBlock',
  tableName: 'accepted_blocks',
  properties: {
    number: p.bigint('bigint').primary().autoincrement(false),
    id: p.text(),
    /** Digest of what was listed (`Listing`): nothing else counts as listed afterwards. */
    digest: p.text(),
    acceptedBy: p.enum(ACCEPTED_BY),
    acceptedAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class AcceptedBlock extends AcceptedBlockSchema.class {}
AcceptedBlockSchema.setClass(AcceptedBlock);
