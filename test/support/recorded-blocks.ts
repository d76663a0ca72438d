import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Blocks of a real chain as its node gave them, with their real hashes and signatures (test/conformance/blocks). */
export interface RecordedBlock {
  blockID: string;
  block_header: { raw_data: Record<string, unknown> & { number: number }; witness_signature: string };
  transactions?: (Record<string, unknown> & { txID: string; raw_data_hex: string; signature: string[] })[];
}

/** protocol.PQAuthSig as nodes write it. */
export interface RecordedPostQuantum {
  scheme: string;
  public_key: string;
  signature: string;
}

const FOLDER = join(__dirname, '../conformance/blocks');

export function recordedBlocks(file = 'blocks.jsonl'): RecordedBlock[] {
  const lines = readFileSync(join(FOLDER, file), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedBlock);
}

/** Witnesses of a net with post-quantum signatures: which are active, and with which keys each signs. */
export function recordedPostQuantumSet(): Active[] {
  const { witnesses, signing_address: signers } = JSON.parse(
    readFileSync(join(FOLDER, 'post-quantum', 'witnesses.json'), 'utf8'),
  ) as { witnesses: { address: string; isJobs?: boolean }[]; signing_address: Record<string, string> };
  return witnesses
    .filter(({ isJobs }) => isJobs)
    .map(({ address }) => ({ address, signing_address: signers[address]! }));
}

/** The active witnesses of that time. They signed with their own keys. */
export function recordedWitnesses(): string[] {
  const { witnesses } = JSON.parse(readFileSync(join(FOLDER, 'witnesses.json'), 'utf8')) as {
    witnesses: { address: string; isJobs?: boolean }[];
  };
  return witnesses.filter(({ isJobs }) => isJobs).map(({ address }) => address);
}

/** What the node said within a few milliseconds: its head and its solid height. */
export function recordedTips(): [head: number, solid: number][] {
  return JSON.parse(readFileSync(join(FOLDER, 'tips.json'), 'utf8')) as [number, number][];
}

/** Blocks and sets of another chain, during which its active set changed; and the blocks of it that lost. */
export function recordedSetChange(): {
  readonly blocks: RecordedBlock[];
  readonly orphans: RecordedBlock[];
  readonly before: Active[];
  readonly after: Active[];
} {
  const set = (file: string) =>
    (JSON.parse(readFileSync(join(FOLDER, 'set-change', file), 'utf8')) as { witnesses: Active[] }).witnesses;
  return {
    blocks: recordedBlocks('set-change/blocks.jsonl'),
    orphans: recordedBlocks('set-change/orphans.jsonl'),
    before: set('witnesses-before.json'),
    after: set('witnesses-after.json'),
  };
}

interface Active {
  readonly address: string;
  readonly signing_address: string;
}
