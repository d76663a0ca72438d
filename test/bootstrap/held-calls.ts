import type { NodeCall, NodeProxy } from '../support/node-proxy';
import { until } from '../support/until';

/** Calls of one kind, held back until they are let go: each as often as it is made, and which they were. */
export class HeldCalls {
  readonly keys = new Set<string>();
  private letGo!: () => void;
  private readonly gate = new Promise<void>((resolve) => (this.letGo = resolve));

  constructor(proxy: NodeProxy, keyOf: (call: NodeCall) => string | undefined) {
    proxy.before = async (call) => {
      const key = keyOf(call);
      if (key === undefined) return;
      this.keys.add(key);
      await this.gate;
    };
  }

  async until(count: number): Promise<void> {
    await until(`${count} calls held`, async () => this.keys.size >= count);
  }

  release(): void {
    this.letGo();
  }
}
