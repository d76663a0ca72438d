import type { UnverifiableTip } from '../tron/node/block-answer';
import type { BlockHeader } from '../proof/block-header';
import type { BlockReads } from '../tron/node/block-reads';

/**
 * What a look does with the other nodes than the first one that works: nothing; asks them for their heads and follows those with the next look;
 * waits for them when the first has nothing new.
 */
export type Others = 'unasked' | 'beside' | 'awaited';

/**
 * The newest blocks of the other nodes than the first one. They are asked without anybody waiting for the slowest: one that hangs, or is
 * gone, delays no block of another.
 */
export class OtherHeads {
  /** True for those that answer. */
  private readonly asked = new Map<string, Promise<boolean>>();
  private readonly ahead = new Map<string, BlockHeader>();
  private answered = false;

  /** @param place this newest block, of this node, if it is to be followed, else null */
  constructor(
    private readonly reads: BlockReads,
    private readonly place: (url: string, tip: BlockHeader | UnverifiableTip) => Promise<BlockHeader | null>,
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

  /** What there is to follow, and of which node; each once. */
  takeAhead(): { url: string; tip: BlockHeader }[] {
    const found = [...this.ahead].map(([url, tip]) => ({ url, tip }));
    this.ahead.clear();
    return found;
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
    const header = await this.place(url, tip);
    if (header) this.ahead.set(url, header);
  }
}
