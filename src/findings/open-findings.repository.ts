import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';

const COUNT = statement<[], { findings: number }>(
  'panel-overview-findings',
  `select count(*)::integer as findings from findings where resolved_at is null`,
);

@Injectable()
export class OpenFindingsRepository {
  constructor(private readonly sql: Sql) {}

  async count(): Promise<number> {
    return (await this.sql.row(COUNT))!.findings;
  }
}
