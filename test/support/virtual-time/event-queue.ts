export interface QueuedEvent {
  readonly atMs: number;
  readonly order: number;
}

/** A binary heap: the earliest first, and of those at the same time the one that was put in first. */
export class EventQueue<Event extends QueuedEvent> {
  private readonly heap: Event[] = [];

  get size(): number {
    return this.heap.length;
  }

  push(event: Event): void {
    let at = this.heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(this.heap[at]!, this.heap[parent]!)) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  pop(): Event | undefined {
    const [first] = this.heap;
    const last = this.heap.pop();
    if (this.heap.length === 0 || last === undefined) return first;
    this.heap[0] = last;
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < this.heap.length && isBefore(this.heap[left]!, this.heap[least]!)) least = left;
      if (right < this.heap.length && isBefore(this.heap[right]!, this.heap[least]!)) least = right;
      if (least === at) return first;
      this.swap(at, least);
      at = least;
    }
  }

  private swap(a: number, b: number): void {
    [this.heap[a], this.heap[b]] = [this.heap[b]!, this.heap[a]!];
  }
}

function isBefore(a: QueuedEvent, b: QueuedEvent): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
