import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../users/user.entity';

/** A network from which a user has signed in to the panel. */
const KnownNetworkSchema = defineEntity({
  name: 'KnownNetwork',
  tableName: 'known_places',
  properties: {
    user: () => p.manyToOne(User).primary().ref().deleteRule('restrict'),
    /** An IPv4 address, or an IPv6 network of 64 bits. */
    network: p.text().primary(),
    lastAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [{ name: 'known_places_last_at', properties: ['lastAt'] }],
});

export class KnownNetwork extends KnownNetworkSchema.class {}
KnownNetworkSchema.setClass(KnownNetwork);
