/** Reads one object of the configuration: each field once, and none that is left over. Problems are collected, so that one start names all. */
export class Fields {
  private readonly values: Readonly<Record<string, unknown>>;
  private readonly read = new Set<string>();

  constructor(
    value: unknown,
    private readonly path: string,
    private readonly problems: string[],
  ) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    this.values = isObject ? (value as Record<string, unknown>) : {};
    if (!isObject) this.problem('', 'must be an object');
  }

  problem(name: string, what: string): void {
    const place = [this.path, name].filter((part) => part !== '').join('.') || 'the configuration';
    this.problems.push(`${place} ${what}`);
  }

  has(name: string): boolean {
    this.read.add(name);
    return Object.hasOwn(this.values, name);
  }

  raw(name: string): unknown {
    return this.has(name) ? this.values[name] : undefined;
  }

  text(name: string, pattern: RegExp, what: string): string {
    const value = this.raw(name);
    if (typeof value === 'string' && pattern.test(value)) return value;
    this.problem(name, `must be ${what}`);
    return '';
  }

  oneOf<T extends string>(name: string, choices: readonly T[]): T {
    const found = choices.find((choice) => choice === this.raw(name));
    if (found === undefined) this.problem(name, `must be one of ${choices.join(', ')}`);
    return found ?? choices[0]!;
  }

  count(name: string, what: string, isGood: (value: number) => boolean): number {
    const value = this.raw(name);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && isGood(value)) return value;
    this.problem(name, `must be ${what}`);
    return 0;
  }

  flag(name: string): boolean {
    if (!this.has(name)) return false;
    const value = this.raw(name);
    if (typeof value !== 'boolean') this.problem(name, 'must be true or false');
    return value === true;
  }

  object(name: string): Fields {
    const path = this.path === '' ? name : `${this.path}.${name}`;
    return new Fields(this.raw(name), path, this.problems);
  }

  /** Names the fields that were not asked for. */
  end(): void {
    for (const name of Object.keys(this.values)) if (!this.read.has(name)) this.problem(name, 'is an unknown field');
  }
}
