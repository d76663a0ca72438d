import { sha256 } from './hash';

/** The root over a block's transactions; 32 zero bytes for a block without any. An odd one out goes up unchanged. */
export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return Buffer.alloc(32);
  let level = leaves.map(sha256);
  while (level.length > 1)
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) =>
      level[2 * i + 1] ? sha256(Buffer.concat([level[2 * i]!, level[2 * i + 1]!])) : level[2 * i]!,
    );
  return level[0]!;
}
