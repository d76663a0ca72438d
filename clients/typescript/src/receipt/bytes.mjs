// Bytes, as a browser has them: these modules are served as they are, and need neither Node nor a build.

/** @param {string} hex @returns {Uint8Array} whatever is not hex ends it */
export function fromHex(hex) {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** @param {Uint8Array} bytes @returns {string} */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {...Uint8Array} parts @returns {Uint8Array} */
export function concat(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {Uint8Array} bytes @returns {bigint} with the most significant byte first */
export function toInteger(bytes) {
  return BigInt(`0x${toHex(bytes) || '0'}`);
}

/** @param {bigint} value @returns {Uint8Array} 32 bytes */
export function to32Bytes(value) {
  return fromHex(value.toString(16).padStart(64, '0'));
}
