// The key that made a signature: y² = x³ + 7 modulo P, with the generator G of order N. Nothing in it is secret, so time may tell everything.
import { to32Bytes, concat } from './bytes.mjs';

const P = 2n ** 256n - 2n ** 32n - 977n;
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A point with x/z² and y/z³; z is 0 for the point at infinity. @typedef {{ x: bigint, y: bigint, z: bigint }} Point */

/** @type {Point} */
const G = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  z: 1n,
};
/** @type {Point} */
const INFINITY = { x: 1n, y: 1n, z: 0n };

/** @param {bigint} value @param {bigint} modulus */
function mod(value, modulus) {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/** @param {bigint} base @param {bigint} exponent */
function power(base, exponent) {
  let result = 1n;
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

/** @param {bigint} value @param {bigint} modulus */
function inverse(value, modulus) {
  let [rest, other] = [mod(value, modulus), modulus];
  let [factor, before] = [1n, 0n];
  while (rest > 1n) {
    const quotient = other / rest;
    [other, rest] = [rest, other % rest];
    [before, factor] = [factor, before - quotient * factor];
  }
  return mod(factor, modulus);
}

/** @param {Point} point @returns {Point} */
function double({ x, y, z }) {
  if (z === 0n) return INFINITY;
  const squared = (y * y) % P;
  const slope = (3n * x * x) % P;
  const middle = (4n * x * squared) % P;
  const doubled = mod(slope * slope - 2n * middle, P);
  return { x: doubled, y: mod(slope * (middle - doubled) - 8n * squared * squared, P), z: (2n * y * z) % P };
}

/** @param {Point} a @param {Point} b @returns {Point} */
function add(a, b) {
  if (a.z === 0n) return b;
  if (b.z === 0n) return a;
  const [za, zb] = [(a.z * a.z) % P, (b.z * b.z) % P];
  const [ua, ub] = [(a.x * zb) % P, (b.x * za) % P];
  const [sa, sb] = [(a.y * zb * b.z) % P, (b.y * za * a.z) % P];
  const [across, up] = [mod(ub - ua, P), mod(sb - sa, P)];
  if (across === 0n) return up === 0n ? double(a) : INFINITY;
  const squared = (across * across) % P;
  const cubed = (squared * across) % P;
  const x = mod(up * up - cubed - 2n * ua * squared, P);
  return { x, y: mod(up * (ua * squared - x) - sa * cubed, P), z: (across * a.z * b.z) % P };
}

/** a·A + b·B, bit by bit together. @param {bigint} a @param {Point} A @param {bigint} b @param {Point} B */
function sumOfProducts(a, A, b, B) {
  const both = add(A, B);
  let sum = INFINITY;
  for (let bit = 255n; bit >= 0n; bit--) {
    sum = double(sum);
    const [inA, inB] = [(a >> bit) & 1n, (b >> bit) & 1n];
    if (inA && inB) sum = add(sum, both);
    else if (inA) sum = add(sum, A);
    else if (inB) sum = add(sum, B);
  }
  return sum;
}

/**
 * The public key, x and y in 64 bytes, whose owner signed this hash; null when none did.
 * @param {bigint} hash @param {bigint} r @param {bigint} s @param {number} v whether the point of r has an odd y
 * @returns {Uint8Array | null}
 */
export function recoverKey(hash, r, s, v) {
  if (r <= 0n || r >= N || s <= 0n || s >= N) return null;
  const square = (r * r * r + 7n) % P;
  const root = power(square, (P + 1n) / 4n);
  if ((root * root) % P !== square) return null;
  const point = { x: r, y: Number(root & 1n) === v ? root : P - root, z: 1n };
  const divisor = inverse(r, N);
  const { x, y, z } = sumOfProducts(mod(s * divisor, N), point, mod(-hash * divisor, N), G);
  if (z === 0n) return null;
  const scale = inverse(z, P);
  return concat(to32Bytes(mod(x * scale * scale, P)), to32Bytes(mod(y * scale * scale * scale, P)));
}
