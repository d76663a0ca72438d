import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { DomainError } from '../common/errors/domain.error';
import { type Channel, OPERATOR_CHANNELS, type OperatorChannel } from '../notices/notice-kinds';
import { NoticeService } from '../notices/notice.service';

/** What operators do about notices, each act with its entry in the audit log. */
@Injectable()
export class NoticeAdminService {
  constructor(
    private readonly notices: NoticeService,
    private readonly auditLog: AuditLog,
  ) {}

  /** Every way that is set up, one after the other. */
  async testAll(operator: Operator): Promise<{ channel: OperatorChannel; ok: boolean; reason: string | null }[]> {
    const open = (await this.notices.channels()).filter(({ leadsTo }) => leadsTo !== null);
    const results = [];
    for (const channel of OPERATOR_CHANNELS.filter((one) => open.some(({ channel: set }) => set === one))) {
      const reason = await this.test(operator, channel);
      results.push({ channel, ok: reason === null, reason });
    }
    return results;
  }

  choose(operator: Operator, channel: Channel, kinds: readonly string[]): Promise<void> {
    const act = { action: 'notices.choose', subject: `notices by ${channel}`, asked: { kinds } };
    return this.auditLog.record(operator, act, async (tx) => {
      const before = await this.notices.choose(channel, kinds, tx);
      return { result: undefined, before: { kinds: before }, after: { kinds } };
    });
  }

  /** Null when it was taken; else a short code that says why not. @throws DomainError when the way is not set up */
  async test(operator: Operator, channel: OperatorChannel): Promise<string | null> {
    const found = (await this.notices.channels()).find((one) => one.channel === channel);
    if (!found?.leadsTo) throw new DomainError('notice.channel-closed');
    const act = { action: 'notices.test', subject: `notices by ${channel}` };
    return this.auditLog.recordAround(operator, act, async () => {
      const result = await this.notices.test(channel);
      return { result, after: { taken: result === null, ...(result !== null && { reason: result }) } };
    });
  }
}
