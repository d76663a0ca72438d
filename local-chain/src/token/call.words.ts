import { utils } from 'tronweb';

const WORD = 32;

export const word = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(WORD * 2, '0'), 'hex');
export const addressWord = (address: string): Buffer => Buffer.from(address.slice(2).padStart(WORD * 2, '0'), 'hex');
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & (WORD - 1))]);
export const textWords = (text: string): Buffer =>
  Buffer.concat([word(BigInt(WORD)), word(BigInt(Buffer.byteLength(text))), padded(Buffer.from(text))]);

/** A word of a call's arguments. Data that is too short is read on as zeros. */
export const argument = (data: Buffer, index: number): Buffer => {
  const start = 4 + index * WORD;
  return Buffer.concat([data.subarray(start, start + WORD), Buffer.alloc(WORD)]).subarray(0, WORD);
};
/** A contract looks at the lower 20 bytes of the word alone. */
export const addressOf = (bytes: Buffer): string => `41${bytes.toString('hex', WORD - 20)}`;
export const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
export const selectorIn = (data: Buffer): string => data.toString('hex', 0, 4);

/** A list among the arguments, whose word says where it begins; null when it is not all there. */
export function listAt(data: Buffer, index: number): Buffer[] | null {
  const place = numberOf(argument(data, index));
  if (place % BigInt(WORD) !== 0n || place > BigInt(data.length)) return null;
  const first = Number(place) / WORD;
  const count = numberOf(argument(data, first));
  if (count > BigInt(data.length)) return null;
  const end = first + 1 + Number(count);
  if (4 + end * WORD > data.length) return null;
  return Array.from({ length: Number(count) }, (_, at) => argument(data, first + 1 + at));
}

const keccak = (text: string): string => utils.ethersUtils.keccak256(Buffer.from(text, 'utf8')).slice(2);
export const selectorOf = (signature: string): string => keccak(signature).slice(0, 8);
export const topicOf = (event: string): string => keccak(event);
