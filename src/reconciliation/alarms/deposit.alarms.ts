import { Injectable } from '@nestjs/common';
import { formatTrx } from '../../common/money/sun';
import { DepositProgress } from '../../deposits/deposit-progress';
import { UnexplainedHoldings } from '../../deposits/unexplained-holdings';
import { type Finding, finding } from '../../findings/finding';

/** What customers' addresses hold and no deposit explains, by the last reading of each; and a scanner that stands. */
@Injectable()
export class DepositAlarms {
  constructor(
    private readonly holdings: UnexplainedHoldings,
    private readonly progress: DepositProgress,
  ) {}

  /** @throws NodeUnavailableError */
  async read(): Promise<Finding[]> {
    return [...(await this.behind()), ...(await this.unexplained())];
  }

  private async behind(): Promise<Finding[]> {
    const standing = await this.progress.standing();
    if (!standing) return [];
    const { number, behind, since } = standing;
    const parameters = { number: String(number), blocks: String(behind), since };
    return [finding('deposits_behind', parameters, { type: 'chain' })];
  }

  private async unexplained(): Promise<Finding[]> {
    return (await this.holdings.list()).map(({ user_id: id, address, number, sun, usdt, since, txids }) => {
      const held = { address, unexplained_sun: sun.toString(), unexplained_usdt: formatTrx(usdt), since };
      if (id !== null) return finding('deposit_unexplained', held, { type: 'user', id });
      const which = { number: String(number), txids: txids.join(', ') || '-' };
      return finding('deposit_left_out', { ...held, ...which }, { type: 'deposit_address', id: address });
    });
  }
}
