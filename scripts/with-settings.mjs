// node scripts/with-settings.mjs <program> [arguments] 3</etc/energy-delegation/env: runs a program as newest-node.mjs does, with the settings of
// a systemd EnvironmentFile. They come through a descriptor: the file may be readable by root alone, and the program runs as another user.
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

/**
 * What systemd reads in it (`parse_env_file_internal` of its sources): `$`, `&` and a `#` after a value are characters like others, quotes
 * may hold several lines, a backslash joins lines. A shell, or Node's reader of `.env`, would give the command other settings than the service.
 */
export function parseEnvironmentFile(text) {
  const settings = {};
  let state = 'name';
  let [name, value, blanks] = ['', '', ''];
  const begin = () => ([state, name, value, blanks] = ['name', '', '', '']);
  const assign = () => {
    if (NAME.test(name.trimEnd())) settings[name.trimEnd()] = value;
    begin();
  };
  const add = (character) => ([value, blanks] = [value + blanks + character, '']);
  const read = {
    name(c) {
      if (name === '' && '#;'.includes(c)) state = 'comment';
      else if (LINE_ENDS.includes(c)) begin();
      else if (c === '=' && name !== '') state = 'before value';
      else if (name !== '' || !BLANKS.includes(c)) name += c;
    },
    comment(c) {
      if (LINE_ENDS.includes(c)) begin();
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
  for (const character of text) read[state](character);
  if (state !== 'name' && state !== 'comment') assign();
  return settings;
}

/** Why systemd would give the service other settings than its file seems to have; null when it would not. It drops a line with a mark. */
export function settingsProblem(bytes) {
  const text = bytes.toString('utf8');
  if (text.includes('\0') || bytes.indexOf('\xff\xfe', 'latin1') === 0) return 'it is no text in UTF-8';
  return /^\ufeff/m.test(text) ? 'it has a byte-order mark, and systemd drops the line behind it' : null;
}

function readSettings() {
  let bytes = Buffer.alloc(0);
  try {
    bytes = readFileSync(SETTINGS_DESCRIPTOR);
  } catch (error) {
    refuse(error.code === 'EISDIR' ? 'it is a directory' : error.message);
  }
  const problem = settingsProblem(bytes);
  if (problem !== null) refuse(problem);
  return parseEnvironmentFile(bytes.toString('utf8'));
}

function refuse(problem) {
  process.stderr.write(`The settings in ${process.env.SETTINGS_FILE} cannot be gone by: ${problem}\n`);
  process.exit(1);
}

if (process.argv[1] && realpathSync(process.argv[1]) === SELF) {
  const settings = readSettings();
  closeSync(SETTINGS_DESCRIPTOR);
  const program = [process.execPath, join(dirname(SELF), 'newest-node.mjs'), ...process.argv.slice(2)];
  // Not by `process.env`: what Node itself reads when it starts (NODE_OPTIONS, NODE_EXTRA_CA_CERTS) would come too late.
  process.execve(process.execPath, program, { ...process.env, ...settings });
}
