import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = (parameters: Argon2Parameters): Promise<Buffer> => promisify(argon2)('argon2id', parameters);

/** OWASP's first choice: 19 MiB, two passes. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
type Cost = typeof COST;
const FORMAT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** In the PHC format, so that a later change of the cost still verifies what is stored. */
export async function hashPassword(password: string, cost: Cost = COST): Promise<string> {
  const nonce = randomBytes(16);
  return format(nonce, await derive({ ...cost, message: normalise(password), nonce }), cost);
}

/** Takes as long to verify as a real hash, and matches no password. Random bytes, for deriving one costs memory and could fail. */
export function decoyHash(): string {
  return format(randomBytes(16), randomBytes(COST.tagLength));
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, tag] = FORMAT.exec(hash) ?? [];
  if (nonce === undefined || tag === undefined) return false;
  const expected = Buffer.from(tag, 'base64');
  const found = await derive({
    message: normalise(password),
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(found, expected);
}

/** One password typed on two keyboards may come as different code points. */
function normalise(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'));
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function format(nonce: Buffer, tag: Buffer, { memory, passes, parallelism }: Cost = COST): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(tag)}`;
}
