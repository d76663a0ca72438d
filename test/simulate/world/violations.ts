import type { Kernel } from '../kernel/kernel';

/** What must not be, and was. */
export class Violations {
  readonly list: string[] = [];

  constructor(private readonly kernel: Kernel) {}

  add(what: string): void {
    this.kernel.log(`VIOLATION ${what}`);
    this.list.push(what);
  }

  addAll(found: readonly string[]): void {
    for (const what of found) this.add(what);
  }
}
