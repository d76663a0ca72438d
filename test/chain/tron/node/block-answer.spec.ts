import {
  DoubtfulBlockError,
  readBlock,
  readHeader,
  readSaid,
  readTip,
} from '../../../../src/chain/tron/node/block-answer';
import { BlockReads } from '../../../../src/chain/tron/node/block-reads';
import type { ConfiguredNodes } from '../../../../src/chain/tron/node/configured-nodes';
import { NodeUnavailableError } from '../../../../src/chain/tron/node/node-errors';
import type { NodeClient } from '../../../../src/chain/tron/node/node-client';
import type { Configuration } from '../../../../config/configuration';
import { type RecordedBlock, recordedBlocks } from '../../../support/recorded-blocks';

type Json = Record<string, unknown>;
type Lie = (raw: Json, block: Json) => void;

const recorded = recordedBlocks();
const at = recorded.findIndex(({ transactions = [] }) => transactions.length > 0);
const TRUE = recorded[at]!;
const NO_ROOT = '0'.repeat(64);
const STRANGER = 'ab'.repeat(32);

/** Under the true id: none of its transactions, and a root that fits that. */
const emptied: Lie = (raw, block) => {
  raw['txTrieRoot'] = NO_ROOT;
  delete block['transactions'];
};
const copyOf = (block: RecordedBlock) => structuredClone(block) as unknown as Json;
function told(lie: Lie, block = TRUE): Json {
  const copy = copyOf(block);
  lie((copy['block_header'] as { raw_data: Json }).raw_data, copy);
  return copy;
}
/** As a node may write it, `__proto__` included. */
const withField = (field: string) => {
  const text = JSON.stringify(told(emptied)).replace('"raw_data":{', `"raw_data":{${field},`);
  return JSON.parse(text) as Json;
};

const UNKNOWN: [string, Json][] = [
  ['a field that is not known', withField('"stateRootV2":"ab"')],
  ['one that protobuf would leave out', withField('"stateRootV2":""')],
  ['one without a value', withField('"stateRootV2":null')],
  ['one called __proto__', withField('"__proto__":{"number":1}')],
  ['one called constructor', withField('"constructor":{}')],
  ['one called toString', withField('"toString":0')],
];
const { number } = TRUE.block_header.raw_data;
const ofNumber = (value: unknown): Json =>
  told((raw, block) => {
    emptied(raw, block);
    raw['number'] = value;
  });
const ofField = (name: string, value: unknown): Json =>
  told((raw, block) => {
    emptied(raw, block);
    raw[name] = value;
  });
const DOUBTFUL: [string, Json][] = [
  ['another root', told(emptied)],
  ['no root', ofField('txTrieRoot', undefined)],
  ['a root that is none', ofField('txTrieRoot', null)],
  ['an empty root', ofField('txTrieRoot', '')],
  ['a root of another length', ofField('txTrieRoot', '00'.repeat(31))],
  ['no height', ofNumber(undefined)],
  ['a height that is null', ofNumber(null)],
  ['the height of genesis', ofNumber(0)],
  ['the height of genesis, below zero', ofNumber(-0)],
  ['a height as text', ofNumber(String(number))],
  ['a fraction as height', ofNumber(number + 0.5)],
  ['a negative height', ofNumber(-number)],
  ['a height that no double holds', ofNumber(BigInt(2 ** 53))],
  ['the next height', ofNumber(number + 1)],
  ['a time as text', ofField('timestamp', String(TRUE.block_header.raw_data['timestamp']))],
  ['no time', ofField('timestamp', undefined)],
  ['another parent', ofField('parentHash', STRANGER)],
  ['no witness', ofField('witness_address', undefined)],
  ['a witness in base58', ofField('witness_address', 'TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW')],
  ['a list as header', told((_, block) => (block['block_header'] = { raw_data: [] }))],
  ['no header', told((_, block) => (block['block_header'] = null))],
  ['another height in its id', told((_, block) => (block['blockID'] = `${'0'.repeat(16)}${TRUE.blockID.slice(16)}`))],
];

describe('a block under the true id', () => {
  it('counts as it is, in upper case too', () => {
    expect(readBlock(copyOf(TRUE)).body?.owners.size).toBe(TRUE.transactions!.length);
    const upper = told((raw, block) => {
      block['blockID'] = TRUE.blockID.toUpperCase();
      for (const name of ['txTrieRoot', 'parentHash', 'witness_address']) raw[name] = String(raw[name]).toUpperCase();
    });
    const { header, body } = readBlock(upper);
    expect([header, body?.owners.size]).toEqual([readHeader(copyOf(TRUE)), TRUE.transactions!.length]);
  });

  it.each(UNKNOWN)('with %s is a tip that cannot be verified, and has no parent, time or body', (_, json) => {
    expect(Object.keys(readTip(json))).toEqual(['unverifiable']);
    expect(() => readHeader(json)).toThrow(DoubtfulBlockError);
    expect(() => readBlock(json)).toThrow(DoubtfulBlockError);
  });

  it.each(DOUBTFUL)('with %s counts as nothing', (_, json) => {
    for (const read of [readTip, readHeader, readBlock]) expect(() => read(json)).toThrow(DoubtfulBlockError);
    for (const read of [readTip, readHeader, readBlock])
      expect(() => read(json, { genesisId: TRUE.blockID })).toThrow(DoubtfulBlockError);
  });

  it.each([
    ['is null', [null]],
    ['is a number', [1]],
    ['is not a list', {}],
  ])('with a transaction that %s counts as nothing', (_, transactions) => {
    expect(() => readBlock(told((_raw, block) => (block['transactions'] = transactions)))).toThrow(DoubtfulBlockError);
  });

  it('with the name of a field of 100,000 characters makes no message of that length', () => {
    const tip = readTip(withField(`"${'x'.repeat(100_000)}":1`)) as { unverifiable: string };
    expect(tip.unverifiable.length).toBeLessThan(500);
  });

  it('is at no other height by the word of a node whose word is believed', () => {
    expect(readSaid(copyOf(TRUE)).number).toBe(number);
    for (const json of [ofNumber(undefined), ofNumber(number + 1)]) {
      expect(() => readSaid(json)).toThrow(DoubtfulBlockError);
      expect(() => readBlock(json, { believe: true })).toThrow(DoubtfulBlockError);
    }
  });
});

describe('blocks of a range', () => {
  const CONFIGURATION = { nodes: { proof: 'signatures' } } as Configuration;
  const client = (answer: Json) =>
    ({ ask: async (_kind, _route, _body, understand) => understand(answer, '') }) as Pick<
      NodeClient,
      'ask'
    > as NodeClient;
  const reads = (answer: Json) => new BlockReads(client(answer), { genesisId: null } as ConfiguredNodes, CONFIGURATION);
  const three = recorded.slice(0, 3);
  const from = three[0]!.block_header.raw_data.number;
  const range = (block: readonly unknown[]) => reads({ block }).blocks('', from, from + 2);

  it('are taken as far as the node has them', async () => {
    expect((await range(three)).map(({ header }) => header.number)).toEqual([from, from + 1, from + 2]);
    expect(await range(three.slice(0, 2))).toHaveLength(2);
    expect(await range([])).toEqual([]);
  });

  it.each<[string, readonly unknown[]]>([
    ['one twice', [three[0], three[0], three[1]]],
    ['one twice at the end', [...three, three[2]]],
    ['two out of their order', [three[1], three[0], three[2]]],
    ['a gap', [three[0], three[2]]],
    ['one below', [three[1], three[2]]],
    ['one above', [...three, recorded[3]]],
  ])('are none with %s', async (_, blocks) => {
    await expect(range(blocks)).rejects.toThrow(DoubtfulBlockError);
  });

  it('are none with nothing in the place of one', async () => {
    await expect(range([three[0], null, three[2]])).rejects.toThrow(NodeUnavailableError);
  });

  it('a single one is that of its height', async () => {
    const other = copyOf(three[1]!);
    await expect(reads(other).blocks('', from, from)).rejects.toThrow(DoubtfulBlockError);
    await expect(reads(other).headerAt('', from)).rejects.toThrow(DoubtfulBlockError);
    expect(await reads({}).blocks('', from, from)).toEqual([]);
    expect(await reads({}).headerAt('', from)).toBeNull();
  });
});
