import type { BlockHeader, UnverifiableTip } from '../node/block-answer';
import type { BlockReads } from '../node/block-reads';

/**
 * The newest blocks of the nodes beside the first one. They are asked without anybody waiting for the slowest: one that hangs, or is
 * gone, delays no block of another.
 */
export class OtherHeads {
  /** True for those that answer. */
  private readonly asked = new Map<string, Promise<boolean>>();
  private readonly ahead = new Set<string>();
  private answered = false;

  /** @param isNew whether this newest block, of this node, is to be followed */
  constructor(
    private readonly reads: BlockReads,
    private readonly isNew: (url: string, tip: BlockHeader | UnverifiableTip) => Promise<boolean>,
  ) {}

  /** One that has not answered since it was last asked is not asked again. Resolves once all have answered or failed. */
  async ask(urls: Iterable<string>): Promise<void> {
    this.answered = false;
    await Promise.all([...urls].map((url) => this.asked.get(url) ?? this.askOne(url)));
  }

  /** Resolves once one of those that are being asked has answered, or all have failed. */
  async oneAnswer(): Promise<void> {
    const answered = [...this.asked.values()].map(async (asked) => {
      if (!(await asked)) throw new Error('no answer');
    });
    await Promise.any(answered).catch(() => undefined);
  }

  /** Whether any has answered with a block of this chain since they were last asked. */
  get isAnyThere(): boolean {
    return this.answered;
  }

  /** The nodes that have something to follow, each told once. */
  takeAhead(): string[] {
    const urls = [...this.ahead];
    this.ahead.clear();
    return urls;
  }

  private askOne(url: string): Promise<boolean> {
    const asked = this.look(url)
      .then(
        () => (this.answered = true),
        () => false,
      )
      .finally(() => this.asked.delete(url));
    this.asked.set(url, asked);
    return asked;
  }

  private async look(url: string): Promise<void> {
    const { tip } = await this.reads.newest(url, false);
    if (await this.isNew(url, tip)) this.ahead.add(url);
  }
}
