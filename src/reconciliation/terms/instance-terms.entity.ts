import { defineEntity, p } from '@mikro-orm/core';
import type { InstanceSetup } from './terms';

/** What a running instance sells by; it says every few seconds that it still runs. */
const InstanceTermsSchema = defineEntity({
  name: 'InstanceTerms',
  tableName: 'instance_terms',
  properties: {
    id: p.uuid().primary(),
    host: p.text(),
    /** Settings by their names. */
    terms: p.json<Record<string, string>>(),
    /** What else it says of itself. */
    setup: p.json<InstanceSetup>().defaultRaw(`'{}'`),
    seenAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
});

export class InstanceTerms extends InstanceTermsSchema.class {}
InstanceTermsSchema.setClass(InstanceTerms);
