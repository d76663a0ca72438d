// Keccak-256 with the padding that it had before SHA-3: what addresses are made of.

const RATE = 136;
const LANE = 2n ** 64n - 1n;

/** @param {bigint} lane @param {number} bits */
const rotate = (lane, bits) => ((lane << BigInt(bits)) | (lane >> BigInt(64 - bits))) & LANE;

/** @param {Uint8Array} bytes shorter than one block of 136 bytes @returns {Uint8Array} */
export function keccak256(bytes) {
  if (bytes.length >= RATE) throw new RangeError('only one block is hashed here');
  const block = new Uint8Array(200);
  block.set(bytes);
  block[bytes.length] = 0x01;
  block[RATE - 1] = /** @type {number} */ (block[RATE - 1]) ^ 0x80;
  const view = new DataView(block.buffer);
  const lanes = Array.from({ length: 25 }, (_, at) => view.getBigUint64(8 * at, true));
  permute(lanes);
  lanes.slice(0, 4).forEach((lane, at) => view.setBigUint64(8 * at, lane, true));
  return block.slice(0, 32);
}

/** Keccak-f[1600]: lane (x, y) is at x + 5y. @param {bigint[]} lanes */
function permute(lanes) {
  /** @param {number} x @param {number} y */
  const at = (x, y) => /** @type {bigint} */ (lanes[(x % 5) + 5 * (y % 5)]);
  let bits = 1;
  for (let round = 0; round < 24; round++) {
    const columns = [0, 1, 2, 3, 4].map((x) => at(x, 0) ^ at(x, 1) ^ at(x, 2) ^ at(x, 3) ^ at(x, 4));
    for (let place = 0; place < 25; place++) {
      const x = place % 5;
      lanes[place] =
        /** @type {bigint} */ (lanes[place]) ^
        /** @type {bigint} */ (columns[(x + 4) % 5]) ^
        rotate(/** @type {bigint} */ (columns[(x + 1) % 5]), 1);
    }
    let [x, y, current] = [1, 0, at(1, 0)];
    for (let step = 0; step < 24; step++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const moved = rotate(current, (((step + 1) * (step + 2)) / 2) % 64);
      current = at(x, y);
      lanes[x + 5 * y] = moved;
    }
    for (let row = 0; row < 5; row++) {
      const old = [0, 1, 2, 3, 4].map((column) => at(column, row));
      for (let column = 0; column < 5; column++) {
        const [own, next, after] = [column, (column + 1) % 5, (column + 2) % 5].map(
          (one) => /** @type {bigint} */ (old[one]),
        );
        lanes[column + 5 * row] =
          /** @type {bigint} */ (own) ^ (~(/** @type {bigint} */ (next)) & LANE & /** @type {bigint} */ (after));
      }
    }
    for (let power = 0; power < 7; power++) {
      bits = ((bits << 1) ^ ((bits >> 7) * 0x71)) % 256;
      if (bits & 2) lanes[0] = at(0, 0) ^ (1n << ((1n << BigInt(power)) - 1n));
    }
  }
}
