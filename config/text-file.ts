/**
 * The text of a file as Windows' editors and shells write it too: with a byte-order mark, in UTF-8 or UTF-16, with any ends of lines. What
 * fits no encoding becomes U+FFFD.
 */
export function decodeText(bytes: Buffer): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : isBigEndian(bytes) ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes).replaceAll(/\r\n?/g, '\n');
}

function isBigEndian(bytes: Buffer): boolean {
  return bytes[0] === 0xfe && bytes[1] === 0xff;
}
