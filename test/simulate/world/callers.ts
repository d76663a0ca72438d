import type { DelegateRequestDto } from '../../../src/delegation/dto/delegate-request.dto';
import type { Kernel } from '../kernel/kernel';
import type { SimChain } from '../network/sim-chain';
import type { Instance, Told } from '../service/instance';
import type { PlannedOrder } from './plan';
import type { RefusalJudge } from './refusal-judge';
import type { Setting } from './setup';
import type { StallJudge } from './stall-judge';
import type { Tally } from './tally';
import type { UnreadJudge } from './unread-judge';

export interface ToldOrder {
  readonly id: string;
  readonly code: string;
  readonly txId: string | null;
  /** As it was told, if it was. */
  readonly cost: string | null;
  /** What was asked for. */
  readonly order: PlannedOrder;
}

/** Answered, and nothing stands. */
export interface RefusedOrder {
  readonly code: string;
  readonly order: PlannedOrder;
}

/** A caller that got no answer by then asks again, with the same key if it has one. */
const PATIENCE_MS = 45_000;
const AGAIN_MS = 3_000;
const MOST_TRIES = 12;
/** With five witnesses: until too few have made the last five blocks, and half a block's time. */
const DOUBTED_MS = 24_000;
/** Nothing stands: the same may be asked again. */
const NOT_BEGUN = /^(INTERNAL|NODE_UNAVAILABLE|OUTCOME_UNKNOWN|SIGNER_UNAVAILABLE)/;
/** What may be lacking when everything works. */
const LACKING = [
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_ENERGY',
  'TOKEN_LIMIT_REACHED',
  'ACTIVATION_UNAVAILABLE',
  'SIGNER_UNAVAILABLE',
];

/** Those who order, and ask again until they are told what became of it. */
export class Callers {
  count = 0;
  /** Every answer about an order that stands. */
  readonly told: ToldOrder[] = [];
  readonly refused: RefusedOrder[] = [];
  private waiting = 0;
  private readonly byKey = new Map<string, string>();

  constructor(
    private readonly kernel: Kernel,
    private readonly instance: (at: number) => Instance | null,
    private readonly violated: (what: string) => void,
    private readonly chain: Pick<SimChain, 'everIncluded' | 'foreignTxIds' | 'silentSinceMs'>,
    private readonly tally: Tally,
    private readonly unread: UnreadJudge,
    private readonly refusals: RefusalJudge,
    private readonly stalls: StallJudge,
  ) {}

  get areDone(): boolean {
    return this.waiting === 0;
  }

  order(order: PlannedOrder, setting: Setting): void {
    for (let at = 0; at < order.requests; at++) {
      this.count += 1;
      this.waiting += 1;
      this.kernel.after(at * (order.apartMs ?? 0), null, () => this.ask(order, setting, order.instance + at, 1));
    }
  }

  private ask(order: PlannedOrder, setting: Setting, at: number, attempt: number): void {
    const instance = this.instance(at);
    const user = setting.users[order.user]!;
    const again = () => {
      if (attempt >= MOST_TRIES) this.giveUp(order);
      else this.kernel.after(AGAIN_MS, null, () => this.ask(order, setting, at + 1, attempt + 1));
    };
    if (!instance?.isUp) return again();
    // Without a key, no caller can ask for the same again.
    const unanswered = order.key === null ? () => this.giveUp(order) : again;
    const body = {
      receiver_address: setting.receivers[order.receiver]!,
      amount: order.amount,
      activate_address: order.activate,
    } as DelegateRequestDto;
    const askedMs = this.stalls.isNew(order) ? this.kernel.nowMs : null;
    let isOver = false;
    const patience = this.kernel.after(PATIENCE_MS, null, () => {
      isOver = true;
      unanswered();
    });
    instance.delegate({ user, body, key: order.key }, (told) => {
      if (isOver) return;
      patience.cancelled = true;
      this.kernel.log(`told ${order.key ?? '-'} ${told ? `${told.code} ${told.id ?? ''}` : 'nothing'}`);
      if (!told || (told.id === null && mayBeAskedAgain(order, told))) return unanswered();
      this.waiting -= 1;
      if (order.isAfterwards) this.kernel.after(0, null, () => this.judge(told, order, setting));
      this.tally.add(`told ${told.code.split(' ')[0]}`);
      if (askedMs !== null && told.code === 'OK') this.kernel.after(0, null, () => this.judgeBegun(told.id!, askedMs));
      this.note(order, told);
    });
  }

  private async judgeBegun(orderId: string, askedMs: number): Promise<void> {
    if (await this.stalls.isBegun(orderId, askedMs))
      this.violated(`order ${orderId} was begun although no block becomes final`);
  }

  private giveUp({ key, isAfterwards }: PlannedOrder): void {
    this.waiting -= 1;
    this.tally.add('told nothing');
    if (isAfterwards) this.violated(`the caller of ${key} was never answered, although everything works`);
  }

  private async judge({ code, id }: NonNullable<Told>, order: PlannedOrder, setting: Setting): Promise<void> {
    const mayBePaused = code === 'PAUSED' && this.chain.foreignTxIds.size > 0;
    const isJudged = id === null || code === 'SIGNER_UNAVAILABLE';
    const wrong = isJudged ? await this.refusals.wrongly(code, order, setting) : null;
    if (wrong !== null) this.violated(wrong);
    if (code === 'OK' || mayBePaused || LACKING.includes(code)) return;
    if (code === 'OUTCOME_UNKNOWN' && id !== null && (await this.unread.waitedFor(id)))
      return this.tally.add('told OUTCOME_UNKNOWN, rightly');
    if (code === 'PAUSED' && (await this.unread.keepsPaused())) return this.tally.add('told PAUSED, rightly');
    this.violated(`an answer was ${code}, although everything works`);
  }

  private silentForMs(atMs = this.kernel.nowMs): number {
    return this.chain.silentSinceMs === null ? 0 : atMs - this.chain.silentSinceMs;
  }

  /** One key, one order, one answer. */
  private note(order: PlannedOrder, told: NonNullable<Told>): void {
    if (told.id === null) return void this.refused.push({ code: told.code, order });
    const includedMs = told.state === 'included' ? this.chain.everIncluded.get(told.txId!) : 0;
    if (includedMs === undefined)
      this.violated(`order ${told.id} was told as included, and ${told.txId} never was in a block`);
    else if (this.silentForMs(includedMs) > DOUBTED_MS)
      this.violated(`order ${told.id} was told as included in a block that too few witnesses build on`);
    this.told.push({ id: told.id, code: told.code, txId: told.txId, cost: told.cost, order });
    if (order.key === null) return;
    const name = `${order.user} ${order.key}`;
    const said = `${told.id} ${told.code} ${told.txId}`;
    const before = this.byKey.get(name) ?? said;
    this.byKey.set(name, before);
    if (before !== said) this.violated(`two answers for one key (${name}): ${before}, then ${said}`);
  }
}

/** At the limit of a key, the same would be said again. */
function mayBeAskedAgain({ isAfterwards }: PlannedOrder, { code }: NonNullable<Told>): boolean {
  return NOT_BEGUN.test(code) && !(isAfterwards && code === 'SIGNER_UNAVAILABLE');
}
