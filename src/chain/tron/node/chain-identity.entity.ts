import { defineEntity, p } from '@mikro-orm/core';

/** The one chain that this database belongs to. With a node of another chain, every order would seem proved dead. */
const ChainIdentitySchema = defineEntity({
  name: 'ChainIdentity',
  tableName: 'chain_identity',
  properties: {
    id: p.integer().primary().autoincrement(false),
    genesisBlockId: p.text(),
    /** A final block that an instance has gone by: what undoes it is not believed until an operator accepts that. */
    finalNumber: p.bigint('bigint').nullable(),
    finalId: p.text().nullable(),
    /** Its block time. */
    finalAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  checks: [{ name: 'chain_identity_single_row', expression: 'id = 1' }],
});

export class ChainIdentity extends ChainIdentitySchema.class {}
ChainIdentitySchema.setClass(ChainIdentity);
