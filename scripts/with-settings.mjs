// node scripts/with-settings.mjs <program> [arguments] 3</etc/energy-delegation/env: runs a program as newest-node.mjs does, with the settings of
// a systemd EnvironmentFile. They come through a descriptor: the file may be readable by root alone, and the program runs as another user.
// node scripts/with-settings.mjs --check /etc/energy-delegation/env: exits with 1 where systemd would give the service other settings.
import { closeSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SELF = fileURLToPath(import.meta.url);
const SETTINGS_DESCRIPTOR = 3;
const BLANKS = ' \t\n\r';
const LINE_ENDS = '\n\r';
const ESCAPED_IN_DOUBLE_QUOTES = '"\\`$';
/** systemd drops an assignment to any other name. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** A line within a quoted value. The last line of a key in base64 looks like a name without a value, and hides nothing. */
const HIDDEN_ASSIGNMENT = /\n[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]*=(?!=?[ \t\r]*(?:\n|$))/;

/**
 * What systemd reads in it (`parse_env_file_internal` of its sources): `$`, `&` and a `#` after a value are characters like others, quotes
 * may hold several lines, a backslash joins lines. A shell, or Node's reader of `.env`, would give the command other settings than the service.
 */
export function parseEnvironmentFile(text) {
  const kept = readLines(text).filter(({ name, value }) => value !== null && NAME.test(name));
  return Object.fromEntries(kept.map(({ name, value }) => [name, value]));
}

/** Each assignment; a line that is none, and no comment, as a name without a value. */
function readLines(text) {
  const found = [];
  let state = 'name';
  let [name, value, blanks] = ['', '', ''];
  let [line, first] = [1, 1];
  const begin = () => ([state, name, value, blanks] = ['name', '', '', '']);
  const put = (given, problem) => {
    found.push({ line: first, name: name.trimEnd(), value: given, problem });
    begin();
  };
  const assign = () => put(value);
  const add = (character) => ([value, blanks] = [value + blanks + character, '']);
  const read = {
    name(c) {
      if (name === '') first = line;
      if (name === '' && '#;'.includes(c)) state = 'comment';
      else if (LINE_ENDS.includes(c) && name.trim() === '') begin();
      else if (LINE_ENDS.includes(c)) put(null);
      else if (c === '=' && name !== '') state = 'before value';
      else if (name !== '' || !BLANKS.includes(c)) name += c;
    },
    comment(c) {
      if (c === '\\') state = 'escaped in a comment';
      else if (LINE_ENDS.includes(c)) begin();
    },
    'escaped in a comment'(c) {
      if (LINE_ENDS.includes(c))
        put(null, 'ends in \\, and older versions of systemd take the next line for a part of the comment');
      else state = 'comment';
    },
    'before value'(c) {
      if (LINE_ENDS.includes(c)) return assign();
      if (c === "'" || c === '"') state = c;
      else if (!BLANKS.includes(c)) read[(state = 'value')](c);
    },
    value(c) {
      if (LINE_ENDS.includes(c)) assign();
      else if (c === '\\') state = 'escaped';
      // Blanks count only when something follows.
      else if (BLANKS.includes(c)) blanks += c;
      else add(c);
    },
    escaped(c) {
      state = 'value';
      add(LINE_ENDS.includes(c) ? '' : c);
    },
    "'"(c) {
      if (c === "'") state = 'before value';
      else add(c);
    },
    '"'(c) {
      if (c === '"') state = 'before value';
      else if (c === '\\') state = 'escaped in quotes';
      else add(c);
    },
    'escaped in quotes'(c) {
      state = '"';
      if (ESCAPED_IN_DOUBLE_QUOTES.includes(c)) add(c);
      else if (c !== '\n') add(`\\${c}`);
    },
  };
  for (const character of text) {
    read[state](character);
    if (character === '\n') line += 1;
  }
  const isOpen = ["'", '"', 'escaped in quotes'].includes(state);
  if (!state.includes('comment') && (state !== 'name' || name.trim() !== ''))
    put(state === 'name' ? null : value, isOpen ? 'has a quote that does not close' : undefined);
  return found;
}

/** Why systemd would give the service other settings than its file seems to have; null when it would not. */
export function settingsProblem(bytes) {
  const text = bytes.toString('utf8');
  if (text.includes('\0') || bytes.indexOf('\xff\xfe', 'latin1') === 0) return 'it is not text in UTF-8';
  if (/^\ufeff/m.test(text)) return 'it has a byte-order mark, and systemd drops that line';
  const values = new Map();
  for (const { line, name, value, problem = problemOf(name, value) } of readLines(text)) {
    if (problem) return `line ${line} ${problem}`;
    if (values.has(name) && values.get(name) !== value) return `line ${line} gives ${name} a second value`;
    values.set(name, value);
  }
  return null;
}

/** Without the text: it may be a key. */
function problemOf(name, value) {
  if (value === null) return 'is neither NAME=value nor a comment, and systemd drops it';
  if (!NAME.test(name)) return "has a name that no setting has (export is a shell's), and systemd drops it";
  if (value.includes('\ufffd')) return 'is not text in UTF-8, and systemd drops it';
  return HIDDEN_ASSIGNMENT.test(value) ? 'has a quote that does not close in it, and hides the lines below' : null;
}

function readSettings(source, file) {
  let bytes = Buffer.alloc(0);
  try {
    bytes = readFileSync(source);
  } catch (error) {
    refuse(file, error.code === 'EISDIR' ? 'it is a directory' : error.message);
  }
  const problem = settingsProblem(bytes);
  if (problem !== null) refuse(file, problem);
  return parseEnvironmentFile(bytes.toString('utf8'));
}

function refuse(file, problem) {
  process.stderr.write(`The settings in ${file} cannot be used: ${problem}\n`);
  process.exit(1);
}

if (process.argv[1] && realpathSync(process.argv[1]) === SELF) {
  const [first, file] = process.argv.slice(2);
  if (first === '--check') readSettings(file, file);
  else runProgram();
}

function runProgram() {
  const settings = readSettings(SETTINGS_DESCRIPTOR, process.env.SETTINGS_FILE);
  closeSync(SETTINGS_DESCRIPTOR);
  const program = [process.execPath, join(dirname(SELF), 'newest-node.mjs'), ...process.argv.slice(2)];
  // Not by `process.env`: what Node itself reads when it starts (NODE_OPTIONS, NODE_EXTRA_CA_CERTS) would come too late.
  process.execve(process.execPath, program, { ...process.env, ...settings });
}
