import type { BranchStep } from '../../proof/merkle-tree';

/** A byte for the side, then the hash. */
const STEP_BYTES = 33;

export function encodeBranch(branch: readonly BranchStep[]): Buffer {
  return Buffer.concat(branch.flatMap(({ side, hash }) => [Buffer.from([side === 'left' ? 0 : 1]), hash]));
}

export function decodeBranch(bytes: Buffer): BranchStep[] {
  return Array.from({ length: bytes.length / STEP_BYTES }, (_, step) => {
    const at = step * STEP_BYTES;
    return { side: bytes[at] === 0 ? 'left' : 'right', hash: bytes.subarray(at + 1, at + STEP_BYTES) };
  });
}
