/** The curve secp256k1 on plain integers: slow, and with an answer where the libraries only refuse. */
const PRIME = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;
export const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const GENERATOR: Point = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
};

interface Point {
  x: bigint;
  y: bigint;
}
/** Undefined is the point at infinity. */
type MaybePoint = Point | undefined;

const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, modulo(base, PRIME)];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % PRIME;
    square = (square * square) % PRIME;
  }
  return result;
}

function inverse(value: bigint, by: bigint): bigint {
  let [a, b, x, y] = [modulo(value, by), by, 1n, 0n];
  while (b > 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return modulo(x, by);
}

function add(a: MaybePoint, b: MaybePoint): MaybePoint {
  if (!a || !b) return a ?? b;
  if (a.x === b.x && a.y !== b.y) return undefined;
  const slope =
    a.x === b.x ? 3n * a.x * a.x * inverse(2n * a.y, PRIME) : (b.y - a.y) * inverse(modulo(b.x - a.x, PRIME), PRIME);
  const x = modulo(slope * slope - a.x - b.x, PRIME);
  return { x, y: modulo(slope * (a.x - x) - a.y, PRIME) };
}

function multiply(point: Point, by: bigint): MaybePoint {
  let [result, double]: [MaybePoint, MaybePoint] = [undefined, point];
  for (let rest = by; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, double);
    double = add(double, double);
  }
  return result;
}

export class CurveError extends Error {}

/**
 * The uncompressed public key without its first byte, as java-tron computes it from whatever numbers stand in a signature; none for the
 * point at infinity. Undefined when r cannot be a coordinate.
 * @throws CurveError worded as Java's exceptions
 */
export function recoverPublicKey(hash: Buffer, signature: Buffer, recovery: number): Buffer | undefined {
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32, 64)].map((part) =>
    BigInt(`0x${part.toString('hex')}`),
  ) as [bigint, bigint];
  const x = r + BigInt(recovery >> 1) * ORDER;
  if (x >= PRIME) return undefined;
  const square = modulo(x * x * x + 7n, PRIME);
  const root = power(square, (PRIME + 1n) / 4n);
  if ((root * root) % PRIME !== square)
    throw new CurveError('java.lang.IllegalArgumentException: Invalid point compression');
  if (r % ORDER === 0n) throw new CurveError('java.lang.ArithmeticException: BigInteger not invertible.');
  const y = (root & 1n) === BigInt(recovery & 1) ? root : PRIME - root;
  const invertedR = inverse(r, ORDER);
  const e = BigInt(`0x${hash.toString('hex')}`);
  const key = add(multiply(GENERATOR, modulo(-e * invertedR, ORDER)), multiply({ x, y }, modulo(s * invertedR, ORDER)));
  if (!key) return Buffer.alloc(0);
  return Buffer.from([key.x, key.y].map((part) => part.toString(16).padStart(64, '0')).join(''), 'hex');
}
