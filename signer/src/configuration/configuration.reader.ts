import { isAbsolute } from 'node:path';
import { parseAddress } from '../curve/address';
import { reasonOf, StartError } from '../refusal';
import { type Configuration, type KeySettings, ROLES, type Source } from './configuration';
import { Fields } from './fields';
import { readFile } from './private.file';

const ID = /^[A-Za-z0-9._-]{1,64}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const DIGITS = /^(?:0|[1-9]\d{0,18})$/;
const TEXT = /^[^\p{Cc}]{1,300}$/u;
/** As many as a private key has: the key itself may have been put in the place of its name, and no message may repeat it. */
const KEY_DIGITS = /[0-9a-f]{64}/i;
const MOST_BYTES = 1_000_000;
const SOURCES = ['file', 'env', 'aws_kms', 'pkcs11'] as const;

/** @throws StartError with everything that is wrong */
export function readConfiguration(path: string): Configuration {
  const text = readFile(path, { what: `--config ${path}`, mostBytes: MOST_BYTES, secret: false });
  return parseConfiguration(text);
}

export function parseConfiguration(text: string): Configuration {
  const problems: string[] = [];
  const configuration = readAll(parseJson(text), problems);
  if (problems.length > 0) throw new StartError(problems);
  return configuration;
}

/** The parser's own message would quote the text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position] = /position (\d+)/.exec(reasonOf(error)) ?? [];
    throw new StartError([
      `the configuration is not JSON${position === undefined ? '' : `, at character ${position}`}`,
    ]);
  }
}

function readAll(value: unknown, problems: string[]): Configuration {
  const top = new Fields(value, '', problems);
  const list = top.raw('keys');
  if (!Array.isArray(list) || list.length === 0) top.problem('keys', 'must be a list of one key or more');
  const keys = (Array.isArray(list) ? list : []).map((one: unknown, index) => readKey(one, index, problems));
  const ids = keys.map(({ id }) => id).filter((id) => id !== '');
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at)))
    top.problem('keys', `has the id ${id} twice`);
  const state = absolutePath(top, 'state');
  top.end();
  return { keys, state };
}

function readKey(value: unknown, index: number, problems: string[]): KeySettings {
  const fields = new Fields(value, nameOf(value, index), problems);
  const id = fields.text('id', ID, '1 to 64 letters, digits, dots, hyphens and underscores');
  const text = fields.raw('address');
  const address = typeof text === 'string' ? parseAddress(text) : null;
  if (!address) fields.problem('address', 'must be a TRON address (T…)');
  const permissionId = fields.count('permission_id', '0, or 2 to 9', (count) => count !== 1 && count <= 9);
  const role = fields.oneOf('role', ROLES);
  const mayUnfreeze = fields.flag('unfreeze');
  if (mayUnfreeze && role !== 'stake') fields.problem('unfreeze', 'is for the role stake');
  const source = readSource(fields.object('source'));
  const limits = fields.has('limits') ? readLimits(fields.object('limits')) : {};
  fields.end();
  return { id, address: address ?? Buffer.alloc(0), permissionId, role, mayUnfreeze, source, limits };
}

/** By its id where it has a good one, and by its place. */
function nameOf(value: unknown, index: number): string {
  const id = (value as { id?: unknown } | null)?.id;
  return typeof id === 'string' && ID.test(id) && !KEY_DIGITS.test(id) ? `keys[${index}] (${id})` : `keys[${index}]`;
}

function readLimits(fields: Fields): KeySettings['limits'] {
  const stake = fields.has('stake_sun_per_hour')
    ? fields.text('stake_sun_per_hour', DIGITS, 'a text of digits, whole sun')
    : undefined;
  const transfers = fields.has('transfers_per_hour')
    ? fields.count('transfers_per_hour', 'a whole number', () => true)
    : undefined;
  fields.end();
  return {
    ...(stake !== undefined && { stakeSunPerHour: BigInt(stake) }),
    ...(transfers !== undefined && { transfersPerHour: BigInt(transfers) }),
  };
}

function readSource(fields: Fields): Source {
  const named = SOURCES.filter((name) => fields.has(name));
  fields.end();
  const [kind] = named;
  if (named.length !== 1 || kind === undefined) {
    fields.problem('', `must have one of ${SOURCES.join(', ')}`);
    return { env: '' };
  }
  if (kind === 'file') return { file: absolutePath(fields, 'file') };
  if (kind === 'env') return { env: variable(fields, 'env') };
  const inner = fields.object(kind);
  const source = kind === 'aws_kms' ? { aws_kms: readKms(inner) } : { pkcs11: readPkcs11(inner) };
  inner.end();
  return source;
}

function readKms(fields: Fields) {
  const endpoint = fields.has('endpoint')
    ? fields.text('endpoint', /^https?:\/\/[^\s]+$/, 'an http(s) URL')
    : undefined;
  return {
    key_id: fields.text('key_id', TEXT, 'the id, ARN or alias of a key'),
    region: fields.text('region', /^[a-z0-9-]{1,40}$/, 'a region, as eu-central-1'),
    ...(endpoint !== undefined && { endpoint }),
  };
}

function readPkcs11(fields: Fields) {
  return {
    module: absolutePath(fields, 'module'),
    token: fields.text('token', TEXT, 'the label of a token'),
    label: fields.text('label', TEXT, 'the label of a key'),
    pin_env: variable(fields, 'pin_env'),
  };
}

function absolutePath(fields: Fields, name: string): string {
  const path = fields.text(name, TEXT, 'the absolute path of a file');
  if (path === '') return '';
  if (KEY_DIGITS.test(path)) fields.problem(name, 'looks like a private key, and must be a path');
  else if (!isAbsolute(path)) fields.problem(name, 'must be an absolute path');
  return path;
}

function variable(fields: Fields, name: string): string {
  const found = fields.text(name, VARIABLE, 'the name of an environment variable');
  if (KEY_DIGITS.test(found)) fields.problem(name, 'looks like a private key, and must be the name of a variable');
  return found;
}
