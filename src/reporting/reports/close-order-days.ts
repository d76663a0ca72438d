import { Injectable } from '@nestjs/common';
import { Shutdown } from '../../common/shutdown';
import { OrderDayRepository } from './order-day.repository';

/** Adds late orders to their days, and closes every day whose time has come, oldest first; years of them after an update, one statement each. */
@Injectable()
export class CloseOrderDays {
  constructor(
    private readonly days: OrderDayRepository,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * How many were closed. @param chainMs block time: a database whose clock is ahead would close a day that still gets orders, for good
   */
  async run(chainMs: number): Promise<number> {
    await this.days.countLate();
    let closed = 0;
    while (!this.shutdown.signal.aborted && (await this.days.closeNext(chainMs))) closed += 1;
    return closed;
  }
}
