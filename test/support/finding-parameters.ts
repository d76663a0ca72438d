interface Message {
  readonly reason: unknown;
}

/** Filled with sevens; `seen` hears of each parameter. */
export function sentenceOf({ reason }: Message, seen: (name: string) => void = () => {}): string {
  const get = (_: unknown, name: string | symbol): unknown => {
    seen(String(name));
    return name === 'orders' ? ['7'] : '7';
  };
  return (reason as (parameters: unknown) => string)(new Proxy({}, { get }));
}

/** The names of what a sentence is made of. */
export function parametersOf(message: Message): string[] {
  const names = new Set<string>();
  sentenceOf(message, (name) => void names.add(name));
  return [...names];
}
