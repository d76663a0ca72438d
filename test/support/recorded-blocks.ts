import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Blocks of a real chain as its node gave them, with their real hashes and signatures (test/conformance/blocks). */
export interface RecordedBlock {
  blockID: string;
  block_header: { raw_data: Record<string, unknown> & { number: number }; witness_signature: string };
  transactions?: (Record<string, unknown> & { txID: string; raw_data_hex: string; signature: string[] })[];
}

const FOLDER = join(__dirname, '../conformance/blocks');

export function recordedBlocks(): RecordedBlock[] {
  const lines = readFileSync(join(FOLDER, 'blocks.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedBlock);
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

/** Headers and sets of another chain, during which its active set changed (test/conformance/blocks/set-change). */
export function recordedSetChange(): {
  readonly headers: object[];
  /** Blocks of two losing branches. */
  readonly orphans: object[];
  readonly before: Active[];
  readonly after: Active[];
} {
  const read = (file: string) => readFileSync(join(FOLDER, 'set-change', file), 'utf8');
  const set = (file: string) => (JSON.parse(read(file)) as { witnesses: Active[] }).witnesses;
  const blocks = (file: string) =>
    read(file)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
  return {
    headers: blocks('blocks.jsonl'),
    orphans: blocks('orphans.jsonl'),
    before: set('witnesses-before.json'),
    after: set('witnesses-after.json'),
  };
}

interface Active {
  readonly address: string;
  readonly signing_address: string;
}
