import { defineEntity, p } from '@mikro-orm/core';

/** When work that one instance does for all was last begun. */
const JobRunSchema = defineEntity({
  name: 'JobRun',
  tableName: 'job_runs',
  properties: {
    name: p.text().primary(),
    ranAt: p.datetime(6),
  },
});

export class JobRun extends JobRunSchema.class {}
JobRunSchema.setClass(JobRun);
