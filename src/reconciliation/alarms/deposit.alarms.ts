import { Injectable } from '@nestjs/common';
import { formatTrx } from '../../common/money/sun';
import { UnexplainedHoldings } from '../../deposits/unexplained-holdings';
import { type Finding, finding } from '../../findings/finding';

/** What customers' addresses hold and no deposit explains, by the last reading of each. */
@Injectable()
export class DepositAlarms {
  constructor(private readonly holdings: UnexplainedHoldings) {}

  async read(): Promise<Finding[]> {
    return (await this.holdings.list()).map(({ user_id: id, address, sun, usdt, since }) =>
      finding(
        'deposit_unexplained',
        { address, unexplained_sun: sun.toString(), unexplained_usdt: formatTrx(usdt), since },
        { type: 'user', id },
      ),
    );
  }
}
