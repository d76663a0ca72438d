import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const CHUNK = 1 << 24;
const REGION = /^([0-9a-f]+)-([0-9a-f]+) r\S+ \S+ \S+ \S+\s*(.*)$/;

/** Which of these a process has anywhere in its memory: stack, heap, buffers, libraries. */
export function findInMemory(pid: number, needles: Readonly<Record<string, Buffer>>): string[] {
  const found = new Set<string>();
  const longest = Math.max(...Object.values(needles).map(({ length }) => length));
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK);
    for (const { from, to } of readableRegions(pid)) {
      for (let at = from; at < to; at += CHUNK - longest) {
        const length = readAt(memory, buffer, at, Math.min(CHUNK, to - at));
        const part = buffer.subarray(0, length);
        for (const [name, needle] of Object.entries(needles)) if (part.includes(needle)) found.add(name);
      }
    }
  } finally {
    closeSync(memory);
  }
  return [...found].toSorted();
}

/** A private key in each way that a process may hold it. */
export function formsOf(name: string, privateKey: string): Record<string, Buffer> {
  const bytes = Buffer.from(privateKey, 'hex');
  const texts = {
    hex: privateKey.toLowerCase(),
    capitals: privateKey.toUpperCase(),
    base64: bytes.toString('base64').slice(0, 42),
    base64url: bytes.toString('base64url').slice(0, 42),
    decimal: BigInt(`0x${privateKey}`).toString(),
  };
  return {
    [`${name} as bytes`]: bytes,
    [`${name} as bytes from the end`]: Buffer.from(bytes.toReversed()),
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([form, text]) => [
        [`${name} as ${form}`, Buffer.from(text)],
        [`${name} as ${form} of two bytes`, Buffer.from(text, 'utf16le')],
      ]),
    ),
  };
}

function readableRegions(pid: number): { from: number; to: number }[] {
  const lines = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, from, to, name] = REGION.exec(line) ?? [];
    // The kernel's own pages cannot be read there.
    if (from === undefined || to === undefined || name?.startsWith('[v')) return [];
    return [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }];
  });
}

/** A region may have gone since it was listed. */
function readAt(memory: number, buffer: Buffer, at: number, length: number): number {
  try {
    return readSync(memory, buffer, 0, length, at);
  } catch {
    return 0;
  }
}
