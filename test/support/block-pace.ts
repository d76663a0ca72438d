import type { OrderWorld } from './order-world';
import { until } from './until';

/** Paces callers by the chain: for all that wait together, one look-out for the next block. */
export class BlockPace {
  private next: Promise<unknown> | null = null;

  constructor(private readonly world: OrderWorld) {}

  async nextBlock(): Promise<void> {
    const now = await this.head();
    this.next ??= until('another block', async () => (await this.head()) !== now).finally(() => (this.next = null));
    await this.next;
  }

  private async head(): Promise<string> {
    return JSON.stringify(await this.world.node('wallet/getnowblock'));
  }
}
