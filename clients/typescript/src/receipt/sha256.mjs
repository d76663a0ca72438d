// SHA-256 (FIPS 180-4). The browser's own is asynchronous, and absent on pages without HTTPS.

/** The first 32 bits of the fractions of a root of the first primes. @param {number} count @param {number} root */
function fractions(count, root) {
  const found = [];
  for (let candidate = 2; found.length < count; candidate++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) isPrime = false;
    if (isPrime) found.push(((candidate ** (1 / root) % 1) * 2 ** 32) | 0);
  }
  return found;
}

const START = fractions(8, 2);
const ROUNDS = fractions(64, 3);

/** @param {number} word @param {number} bits */
const rotate = (word, bits) => (word >>> bits) | (word << (32 - bits));

/** @param {Uint8Array} bytes @returns {Uint8Array} */
export function sha256(bytes) {
  const state = Int32Array.from(START);
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = view.getInt32(block + 4 * at);
    for (let at = 16; at < 64; at++) {
      const [early, late] = [/** @type {number} */ (words[at - 15]), /** @type {number} */ (words[at - 2])];
      const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[at] = /** @type {number} */ (words[at - 16]) + first + /** @type {number} */ (words[at - 7]) + second;
    }
    compress(state, words);
  }
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => hash.setInt32(4 * at, word));
  return new Uint8Array(hash.buffer);
}

/** @param {Int32Array} state @param {Int32Array} words */
function compress(state, words) {
  let [a, b, c, d, e, f, g, h] = /** @type {[number, number, number, number, number, number, number, number]} */ (
    /** @type {unknown} */ (state)
  );
  for (let round = 0; round < 64; round++) {
    const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const added =
      (h + mixed + chosen + /** @type {number} */ (ROUNDS[round]) + /** @type {number} */ (words[round])) | 0;
    const most = (a & b) ^ (a & c) ^ (b & c);
    const other = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + most) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + added) | 0, c, b, a, (added + other) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] = /** @type {number} */ (state[at]) + word));
}
