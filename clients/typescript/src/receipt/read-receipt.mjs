import { fromHex } from './bytes.mjs';
import { ReceiptError } from './receipt-error.mjs';

/** @typedef {{ readonly address: string, readonly signing_address: string }} Witness both `41…` in hex */
/** A signature is r, s and v; null where it is of a post-quantum key, which is not verified here. */
/** @typedef {{ readonly bytes: Uint8Array, readonly signature: Uint8Array | null }} SignedHeader */
/** @typedef {{ readonly side: 'left' | 'right', readonly hash: Uint8Array }} BranchStep */
/**
 * @typedef {object} ReceiptParts
 * @property {string} txid
 * @property {string} receiver_address
 * @property {string} stake TRX, as the document writes it
 * @property {number} block_number
 * @property {string} block_id
 * @property {string} block_time
 * @property {Uint8Array} transaction
 * @property {readonly BranchStep[]} branch
 * @property {SignedHeader} header
 * @property {readonly SignedHeader[]} following
 * @property {readonly Witness[]} witnesses
 */
/** @typedef {Record<string, unknown>} Json */

const HASH = /^[0-9a-f]{64}$/;
/** v is 0 or 1: with another one beside it, a byte could be changed and the signature would be the same. */
const SIGNATURE = /^[0-9a-f]{128}0[01]$/;
const ADDRESS = /^41[0-9a-f]{40}$/;
const AMOUNT = /"stake"\s*:\s*(\d+(?:\.\d+)?)\s*[,}]/g;
const FIELDS = [
  'txid',
  'receiver_address',
  'stake',
  'block_number',
  'block_id',
  'block_time',
  'transaction',
  'branch',
  'header',
  'following',
  'witnesses',
];

/**
 * Reads the answer of the receipt's route. A field that is not known is refused: it is not compared, and would look proved.
 * @param {string} text @returns {ReceiptParts} @throws {ReceiptError}
 */
export function readReceipt(text) {
  const answer = fieldsOf(parse(text), 'answer', ['success', 'data']);
  if (answer['success'] !== true) throw malformed('success');
  const data = fieldsOf(answer['data'], 'data', FIELDS);
  return {
    txid: matching(data['txid'], 'txid', HASH),
    receiver_address: matching(data['receiver_address'], 'receiver_address', /^T\w+$/),
    stake: amountIn(text),
    block_number: integer(data['block_number'], 'block_number'),
    block_id: matching(data['block_id'], 'block_id', HASH),
    block_time: matching(data['block_time'], 'block_time', /^[\d-]+T[\d:.]+Z$/),
    transaction: bytes(data['transaction'], 'transaction'),
    branch: list(data['branch'], 'branch').map(branchStep),
    header: header(data['header'], 'header'),
    following: list(data['following'], 'following').map((one, at) => header(one, `following[${at}]`)),
    witnesses: readWitnesses({ witnesses: data['witnesses'] }, true),
  };
}

/**
 * The active witnesses of a file that `witnesses:export` has written.
 * @param {unknown} file @param {boolean} [allActive] one that is not active is refused
 * @returns {Witness[]} @throws {ReceiptError}
 */
export function readWitnesses(file, allActive = false) {
  const all = list(/** @type {Json | null} */ (file)?.['witnesses'], 'witnesses');
  const active = all.filter((one) => /** @type {Json | null} */ (one)?.['isJobs'] === true);
  if (active.length === 0 || (allActive && active.length < all.length)) throw malformed('witnesses');
  const witnesses = active.map((one, at) => {
    const read = allActive ? fieldsOf(one, `witnesses[${at}]`, ['address', 'isJobs', 'signing_address']) : one;
    const { address, signing_address: signer } = /** @type {Json} */ (read);
    return {
      address: matching(address, `witnesses[${at}].address`, ADDRESS),
      signing_address: matching(signer, `witnesses[${at}].signing_address`, ADDRESS),
    };
  });
  // Only one key of a witness that stands there twice would be looked at.
  if (new Set(witnesses.map(({ address }) => address)).size < witnesses.length) throw malformed('witnesses');
  return witnesses;
}

/** As it is written: as a double, a digit of it could be another one. @param {string} text */
function amountIn(text) {
  const found = [...text.matchAll(AMOUNT)];
  if (found.length !== 1) throw malformed('stake');
  return /** @type {string} */ (found[0]?.[1]);
}

/** @param {unknown} value @param {string} name @returns {SignedHeader} */
function header(value, name) {
  const {
    bytes: raw,
    signature,
    pq_auth_sig: postQuantum,
  } = fieldsOf(value, name, ['bytes', 'signature', 'pq_auth_sig']);
  if ((signature === undefined) === (postQuantum === undefined)) throw malformed(`${name}.signature`);
  if (postQuantum !== undefined) {
    const signed = fieldsOf(postQuantum, `${name}.pq_auth_sig`, ['scheme', 'public_key', 'signature']);
    for (const part of ['public_key', 'signature']) bytes(signed[part], `${name}.pq_auth_sig.${part}`);
  }
  return {
    bytes: bytes(raw, `${name}.bytes`),
    signature: signature === undefined ? null : fromHex(matching(signature, `${name}.signature`, SIGNATURE)),
  };
}

/** @param {unknown} value @param {number} at @returns {BranchStep} */
function branchStep(value, at) {
  const { side, hash } = fieldsOf(value, `branch[${at}]`, ['side', 'hash']);
  if (side !== 'left' && side !== 'right') throw malformed(`branch[${at}].side`);
  return { side, hash: fromHex(matching(hash, `branch[${at}].hash`, HASH)) };
}

/** @param {string} text @returns {unknown} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('JSON');
  }
}

/** @param {unknown} value @param {string} name @param {readonly string[]} known @returns {Json} */
function fieldsOf(value, name, known) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw malformed(name);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw malformed(`${name}.${unknown}`);
  return /** @type {Json} */ (value);
}

/** @param {unknown} value @param {string} name @returns {readonly unknown[]} */
function list(value, name) {
  if (!Array.isArray(value)) throw malformed(name);
  return value;
}

/** @param {unknown} value @param {string} name @param {RegExp} pattern */
function matching(value, name, pattern) {
  if (typeof value !== 'string' || !pattern.test(value)) throw malformed(name);
  return value;
}

/** @param {unknown} value @param {string} name */
function bytes(value, name) {
  if (typeof value !== 'string' || value === '' || value.length % 2 !== 0 || /[^0-9a-f]/.test(value))
    throw malformed(name);
  return fromHex(value);
}

/** @param {unknown} value @param {string} name */
function integer(value, name) {
  if (!Number.isSafeInteger(value)) throw malformed(name);
  return /** @type {number} */ (value);
}

/** @param {string} field */
function malformed(field) {
  return new ReceiptError('malformed', field, `${field} is missing or is not valid`);
}
