/** A text that PostgreSQL plans once per connection; the name is unique to it. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/**
 * A statement typed at both ends: what it takes as `$1`, `$2`, … and the row it gives. bigint columns come back as `bigint`,
 * timestamps as `Date`.
 */
export interface Statement<Params extends readonly unknown[] = readonly unknown[], Row = unknown> extends NamedText {
  /** Never there: for the compiler alone. */
  readonly types?: (params: Params) => Row;
}

const texts = new Map<string, string>();
/** Texts of all statements of the modules that are loaded, by name. */
export const statementTexts: ReadonlyMap<string, string> = texts;

/** `*` of a table; not that of `count(*)` or of a product. */
const ALL_COLUMNS = /(?:\bselect|\breturning|,)\s+(?:\w+\.)?\*/i;

/**
 * @throws Error when its name is not in words with underscores; when another text has it: a connection would refuse the second one; when it names no columns: once it is
 * planned, a column that is added to the table changes its result, and every call of it fails
 */
export function statement<Params extends readonly unknown[] = [], Row = never>(
  name: string,
  text: string,
): Statement<Params, Row> {
  if (!/^[a-z][a-z_]*$/.test(name)) throw new Error(`a statement is called ${name}, not in_words_with_underscores`);
  if ((texts.get(name) ?? text) !== text) throw new Error(`two statements are called ${name}`);
  if (ALL_COLUMNS.test(text)) throw new Error(`the statement ${name} has to name its columns`);
  texts.set(name, text);
  return { name, text };
}
