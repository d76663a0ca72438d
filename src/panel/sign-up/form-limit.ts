import { Injectable } from '@nestjs/common';
import { clientAddress, networksOf } from '../../common/http/client-ip';
import { RateLimitStorage } from '../../rate-limit/rate-limit.storage';
import type { PanelRequest } from '../http/visit';

const FIVE_MINUTES_MS = 5 * 60_000;
/** Far above the mails that a network gets in an hour: who asks for more waits for no mail. */
export const MOST_FORMS = 60;
/** Likewise of an IPv6 network of 48 bits. */
export const MOST_FORMS_WIDE = 240;

/** Forms that strangers may send and that end in a mail. Counted in memory, before the database is asked for anything. */
@Injectable()
export class FormLimit {
  constructor(private readonly limits: RateLimitStorage) {}

  /** False when the network has sent so many: the caller does nothing, and answers the same. */
  async take(request: PanelRequest): Promise<boolean> {
    const [network, wide] = networksOf(clientAddress(request));
    if (!(await this.takeOne(network, MOST_FORMS))) return false;
    return wide === undefined || this.takeOne(wide, MOST_FORMS_WIDE);
  }

  private async takeOne(network: string, most: number): Promise<boolean> {
    return !(await this.limits.increment(network, FIVE_MINUTES_MS, most, 0, 'open-forms')).isBlocked;
  }
}
