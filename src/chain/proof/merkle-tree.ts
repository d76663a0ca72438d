import { createHash } from 'node:crypto';

/** A step from a leaf up to the root: the hash beside it, and on which side that stands. */
export interface BranchStep {
  readonly side: 'left' | 'right';
  readonly hash: Buffer;
}

const NO_LEAVES = Buffer.alloc(32);

/** Every level from the leaves up to the root. Pairs are hashed together, an odd last one is carried up as it is. */
export function merkleLevels(leaves: readonly Buffer[]): readonly (readonly Buffer[])[] {
  const levels = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level)) {
    const above: Buffer[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at]!, level[at + 1]];
      above.push(right ? sha256(Buffer.concat([left, right])) : left);
    }
    level = above;
  }
  return levels;
}

/** No leaves give 32 zero bytes. */
export function merkleRoot(levels: readonly (readonly Buffer[])[]): Buffer {
  return levels.at(-1)![0] ?? NO_LEAVES;
}

/** What leads from the leaf at this place to the root. */
export function merkleBranch(levels: readonly (readonly Buffer[])[], leaf: number): BranchStep[] {
  return levels.slice(0, -1).flatMap((level, height) => {
    const at = leaf >> height;
    const hash = level[at ^ 1];
    return hash ? [{ side: at % 2 === 0 ? 'right' : 'left', hash }] : [];
  });
}

/** The root that this branch leads to. */
export function rootOfBranch(leaf: Buffer, branch: readonly BranchStep[]): Buffer {
  return branch.reduce(
    (hash, step) => sha256(Buffer.concat(step.side === 'left' ? [step.hash, hash] : [hash, step.hash])),
    leaf,
  );
}

export function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
