/** How a field travels: `address` and `text` are bytes on the wire, base58 and UTF-8 in JSON when `visible` is asked for. */
export type FieldKind = 'int64' | 'int32' | 'bool' | 'bytes' | 'address' | 'text' | 'string' | EnumType | MessageType;

export class EnumType {
  private readonly numbers: Map<string, number>;
  constructor(
    readonly name: string,
    private readonly names: Readonly<Record<number, string>>,
  ) {
    this.numbers = new Map(Object.entries(names).map(([number, text]) => [text, Number(number)]));
  }
  findName(number: number): string | undefined {
    return this.names[number];
  }
  findNumber(name: string): number | undefined {
    return this.numbers.get(name);
  }
}

export interface Field {
  readonly number: number;
  readonly name: string;
  readonly kind: FieldKind;
  readonly repeated: boolean;
}

/** Nothing of `T` exists at run time: it ties what `decode` gives to what the schema says. */
export class MessageType<T = unknown> {
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
  readonly byName: ReadonlyMap<string, Field>;
  declare readonly shape: T;
  constructor(
    readonly name: string,
    fields: readonly Field[],
  ) {
    this.fields = [...fields].sort((a, b) => a.number - b.number);
    this.byNumber = new Map(fields.map((field) => [field.number, field]));
    this.byName = new Map(fields.map((field) => [field.name, field]));
  }
}

export const field = (number: number, name: string, kind: FieldKind): Field => ({
  number,
  name,
  kind,
  repeated: false,
});
export const repeated = (number: number, name: string, kind: FieldKind): Field => ({
  number,
  name,
  kind,
  repeated: true,
});
