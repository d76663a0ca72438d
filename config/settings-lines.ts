const LINE = /^[ \t]*(?:export +)?([^=]*?)[ \t]*=[ \t]*(.*)$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;
const BLANK_OR_COMMENT = /^\s*(?:#.*)?$/;
/** The last line of a key in base64 looks like a name without a value, and hides nothing. */
const ASSIGNMENT = /^[ \t]*(?:export +)?[A-Za-z_][A-Za-z0-9_.]*[ \t]*=(?!=?[ \t]*["'`]?[ \t]*$)/;
const QUOTES = ['"', "'", '`'];

interface Assignment {
  readonly line: number;
  readonly name: string;
  readonly value: string;
  readonly lines: number;
}

/**
 * Why Node's `parseEnv` would drop a line of this text or a part of one; null when it keeps all. It says nothing of what it does not
 * understand, and the service would go on with other settings than the file shows: with another price, for one.
 */
export function linesProblem(text: string): string | null {
  const lines = text.split('\n');
  const first = new Map<string, Assignment>();
  for (let index = 0; index < lines.length;) {
    if (BLANK_OR_COMMENT.test(lines[index]!)) {
      index += 1;
      continue;
    }
    const read = readAssignment(lines, index);
    if (typeof read === 'string') return `line ${index + 1}: ${read}`;
    const earlier = first.get(read.name);
    if (earlier && earlier.value !== read.value)
      return `line ${read.line}: ${read.name} has another value than in line ${earlier.line}`;
    first.set(read.name, earlier ?? read);
    index += read.lines;
  }
  return null;
}

function readAssignment(lines: readonly string[], index: number): Assignment | string {
  const [, name, rest] = LINE.exec(lines[index]!) ?? [];
  if (name === undefined || rest === undefined) return 'it is neither NAME=value nor a comment';
  // Without the text: it may be a key.
  if (!NAME.test(name)) return "what stands before = has a character that no setting's name has";
  const value = QUOTES.includes(rest[0]!) ? quotedValue(rest, lines.slice(index + 1)) : plainValue(rest);
  return 'problem' in value ? `the value of ${name} ${value.problem}` : { line: index + 1, name, ...value };
}

type Value = { readonly value: string; readonly lines: number } | { readonly problem: string };

function plainValue(rest: string): Value {
  const [before = ''] = rest.split('#', 1);
  if (before !== rest && /\S$/.test(before)) return { problem: 'would end at its #: put it into quotes' };
  return { value: before.trim(), lines: 1 };
}

/** It ends with the next quote of its kind, in whatever line that is. */
function quotedValue(rest: string, following: readonly string[]): Value {
  const text = [rest.slice(1), ...following].join('\n');
  const end = text.indexOf(rest[0]!);
  if (end === -1) return { problem: 'has a quote that does not close' };
  const value = text.slice(0, end);
  const lines = value.split('\n').length;
  if (following.slice(0, lines - 1).some((line) => ASSIGNMENT.test(line)))
    return { problem: 'has a quote that does not close in its line, and hides the lines below it' };
  const [after = ''] = text.slice(end + 1).split('\n', 1);
  return BLANK_OR_COMMENT.test(after) ? { value, lines } : { problem: `ends at its second ${rest[0]}` };
}
