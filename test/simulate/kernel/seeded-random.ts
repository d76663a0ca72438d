/** sfc32: the same numbers for the same seed, on every machine. */
export class SeededRandom {
  private a = 0x9e3779b9;
  private b = 0x243f6a88;
  private c = 0xb7e15162;
  private counter = 1;

  constructor(seed: string) {
    for (const character of seed) {
      this.a = (this.a ^ character.codePointAt(0)!) >>> 0;
      this.uint32();
    }
    for (let i = 0; i < 12; i++) this.uint32();
  }

  uint32(): number {
    const t = (this.a + this.b + this.counter++) >>> 0;
    this.a = (this.b ^ (this.b >>> 9)) >>> 0;
    this.b = (this.c + (this.c << 3)) >>> 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + t) >>> 0;
    return t;
  }

  /** From 0 up to 1, without 1. */
  float(): number {
    return this.uint32() / 0x1_0000_0000;
  }

  /** From `low` up to `high`, without `high`. */
  between(low: number, high: number): number {
    return low + this.float() * (high - low);
  }

  /** Whole, from 0 up to `below`, without it. */
  below(below: number): number {
    return Math.floor(this.float() * below);
  }

  chance(probability: number): boolean {
    return this.float() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  writeInto(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.uint32() & 0xff;
  }
}
