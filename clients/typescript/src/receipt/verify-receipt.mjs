// Checks a receipt by itself and the witnesses that its reader trusts: no node, no service, no library. The formulas stand in
// docs/customers/en/receipts.md. Browsers run these files as they are.
import { base58Address, signerOf } from './address.mjs';
import { concat, toHex } from './bytes.mjs';
import { messageIn, only, readFields } from './protobuf.mjs';
import { readReceipt, readWitnesses } from './read-receipt.mjs';
import { ReceiptError } from './receipt-error.mjs';
import { sha256 } from './sha256.mjs';

export { base58Address, ReceiptError };

/** @typedef {import('./read-receipt.mjs').ReceiptParts} ReceiptParts */
/** @typedef {import('./read-receipt.mjs').SignedHeader} SignedHeader */
/** @typedef {ReadonlyMap<string, string>} Known the key of each witness */
/** @typedef {{ readonly witnesses: readonly { readonly address: string, readonly isJobs?: boolean, readonly signing_address: string }[] }} WitnessFile */
/**
 * @typedef {object} VerifiedReceipt
 * @property {string} txid
 * @property {string} receiver_address
 * @property {string} stake the energy of so many TRX
 * @property {number} block_number
 * @property {string} block_time
 * @property {number} witnesses how many of them have built on the block
 * @property {readonly number[]} unverified_signatures_of blocks whose post-quantum signature is not verified here: they count for no witness
 */

/** Two hashes side by side: a leaf of this length could be an inner node. */
const PAIR_BYTES = 64;
/** protocol.Transaction.Contract.ContractType */
const DELEGATE_RESOURCE = 57n;
const ENERGY = 1n;
/** Of a later time there is no date. */
const LATEST_MS = 8_640_000_000_000_000n;
const SUCCESS = 1n;

/**
 * @param {string} text the answer of `GET /api/chain/delegations/{id}/receipt`, as it came
 * @param {WitnessFile | readonly WitnessFile[]} files the witnesses whose signatures count; several where they changed between the headers
 * @returns {VerifiedReceipt}
 * @throws {ReceiptError} when it does not prove what it states
 */
export function verifyReceipt(text, files) {
  const receipt = readReceipt(text);
  const sets = [files].flat().map((file) => readWitnesses(file));
  const known = sets.map((set) => new Map(set.map(({ address, signing_address: signer }) => [address, signer])));
  const strange = receipt.witnesses.find(({ address, signing_address: signer }) => !isIn(known, address, signer));
  if (strange)
    throw new ReceiptError('other-witnesses', base58Address(strange.address), 'the receipt names other witnesses');
  const block = linkedHeader(receipt.header, known);
  verifyTransaction(receipt, block);
  const above = linkedHeaders(receipt.following, block, known);
  const counts = known.map((set) => {
    const counted = above.filter(({ witness, isSigned }) => isSigned && set.has(witness));
    return { signed: new Set(counted.map(({ witness }) => witness)).size, needed: neededOf(set.size) };
  });
  const enough = counts.find(({ signed, needed }) => signed >= needed);
  if (!enough) {
    const { signed, needed } = counts[0] ?? { signed: 0, needed: 0 };
    throw new ReceiptError(
      'too-few-witnesses',
      `${signed}/${needed}`,
      `${signed} witnesses have built on the block, and ${needed} are needed`,
    );
  }
  const { txid, receiver_address, stake, block_number, block_time } = receipt;
  const unverified = [block, ...above].filter(({ isSigned }) => !isSigned).map(({ number }) => number);
  const proved = { txid, receiver_address, stake, block_number, block_time };
  return { ...proved, witnesses: enough.signed, unverified_signatures_of: unverified };
}

/** As java-tron counts, to the rounding of its doubles: 19 of 27. @param {number} witnesses */
const neededOf = (witnesses) => witnesses - Math.trunc(witnesses * (1 - 0.7));

/**
 * Its bytes make the txid and lead to the block's root, and say what the receipt states.
 * @param {ReceiptParts} receipt @param {ReturnType<typeof linkedHeader>} block
 */
function verifyTransaction(receipt, block) {
  const { transaction, branch } = receipt;
  const delegation = transaction.length === PAIR_BYTES ? null : readDelegation(transaction);
  if (!delegation)
    throw new ReceiptError(
      'no-delegation',
      'transaction',
      'the transaction is not a delegation of energy that succeeded',
    );
  expectStated(receipt, 'txid', toHex(sha256(delegation.raw)));
  let root = sha256(transaction);
  for (const { side, hash } of branch) root = sha256(side === 'left' ? concat(hash, root) : concat(root, hash));
  if (toHex(root) !== block.root)
    throw new ReceiptError(
      'not-in-block',
      'branch',
      'the transaction and its branch do not lead to the root of the block',
    );
  expectStated(receipt, 'receiver_address', base58Address(delegation.receiver));
  expectStated(receipt, 'stake', inTrx(delegation.stakeSun));
  expectStated(receipt, 'block_number', block.number);
  expectStated(receipt, 'block_id', block.id);
  expectStated(receipt, 'block_time', new Date(block.timeMs).toISOString());
}

/** protocol.Transaction with one DelegateResourceContract of energy that did succeed; null for anything else. @param {Uint8Array} transaction */
function readDelegation(transaction) {
  const outer = readFields(transaction);
  const raw = only(outer, 1);
  if (!(raw instanceof Uint8Array) || only(messageIn(outer, 5), 3) !== SUCCESS) return null;
  const contract = messageIn(readFields(raw), 11);
  if (only(contract, 1) !== DELEGATE_RESOURCE) return null;
  // google.protobuf.Any: its value is the contract's own message.
  const delegated = messageIn(messageIn(contract, 2), 2);
  const [resource, stakeSun, receiver] = [only(delegated, 2), only(delegated, 3), only(delegated, 4)];
  if (resource !== ENERGY || typeof stakeSun !== 'bigint' || !(receiver instanceof Uint8Array)) return null;
  return { raw, stakeSun, receiver: toHex(receiver) };
}

/** The blocks above: each names the one below. @param {readonly SignedHeader[]} headers @param {ReturnType<typeof linkedHeader>} block @param {readonly Known[]} known */
function linkedHeaders(headers, block, known) {
  let parent = block;
  return headers.map((signed) => {
    const header = linkedHeader(signed, known);
    const follows =
      header.parentId === parent.id && header.number === parent.number + 1 && header.timeMs > parent.timeMs;
    if (!follows)
      throw new ReceiptError(
        'not-linked',
        String(parent.number + 1),
        `block ${parent.number + 1} does not follow the one before it`,
      );
    parent = header;
    return header;
  });
}

/**
 * What the signed bytes of a header say (protocol.BlockHeader.raw), once its witness has signed them. One with a post-quantum signature only
 * links the others.
 * @param {SignedHeader} signed @param {readonly Known[]} known
 */
function linkedHeader({ bytes, signature }, known) {
  const fields = readFields(bytes);
  const [time, root, parent, height, witness] = [1, 2, 3, 7, 9].map((number) => fields?.get(number)?.at(-1));
  const isHeader = typeof time === 'bigint' && typeof height === 'bigint' && root instanceof Uint8Array;
  if (!isHeader || time > LATEST_MS || !(parent instanceof Uint8Array) || !(witness instanceof Uint8Array))
    throw new ReceiptError('no-header', 'header', 'the bytes of a header cannot be decoded');
  const hash = sha256(bytes);
  const address = toHex(witness);
  const signer = signature && signerOf(hash, signature);
  if (signature && !(signer && isIn(known, address, signer)))
    throw new ReceiptError('not-signed', String(height), `block ${height} is not signed by one of the witnesses`);
  return {
    number: Number(height),
    id: height.toString(16).padStart(16, '0') + toHex(hash.subarray(8)),
    parentId: toHex(parent),
    timeMs: Number(time),
    root: toHex(root),
    witness: address,
    isSigned: signature !== null,
  };
}

/** @param {readonly Known[]} known @param {string} address @param {string} signer */
function isIn(known, address, signer) {
  return known.some((set) => set.get(address) === signer);
}

/** Without a trailing zero, as receipts write it. @param {bigint} sun */
function inTrx(sun) {
  const digits = sun.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

/**
 * @param {ReceiptParts} receipt
 * @param {'txid' | 'receiver_address' | 'stake' | 'block_number' | 'block_id' | 'block_time'} field
 * @param {string | number} proved
 */
function expectStated(receipt, field, proved) {
  if (receipt[field] !== proved)
    throw new ReceiptError(
      'otherwise-proved',
      field,
      `the receipt states ${receipt[field]} as its ${field}, but proves ${proved}`,
    );
}
