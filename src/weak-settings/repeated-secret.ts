/** `aaaa…`, and what a lazy hand types besides: `12341234`, `abcdeabcdeabcde`, a word again and again. */
const LONGEST_PATTERN = 12;
/** Fewer bytes may repeat themselves by chance. */
const LEAST_BYTES = 8;

/** Whether a secret is one short pattern again and again, as it is written or as the bytes that it stands for. */
export function repeatsItself(secret: string): boolean {
  const bytes = Buffer.from(secret, 'base64');
  return isRepetition(secret.replace(/=+$/, '')) || (isBase64(secret, bytes) && isRepetition(bytes.toString('latin1')));
}

function isBase64(secret: string, bytes: Buffer): boolean {
  return bytes.length >= LEAST_BYTES && bytes.toString('base64') === secret;
}

function isRepetition(text: string): boolean {
  const lengths = Array.from({ length: LONGEST_PATTERN }, (_, index) => index + 1);
  return lengths.some((length) => text.length > 2 * length && [...text].every((one, at) => one === text[at % length]));
}
