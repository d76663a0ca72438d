import { parseArgs } from 'node:util';
import { DEFAULT_BLOCK_MS, DEFAULT_CONNECTIONS, DEFAULT_WITNESSES, type LocalChainOptions } from './local-chain';
import { whyNotSet } from './chain/chain.parameters';
import { POOL_NET_TRX } from './genesis.accounts';
import { MOST_SOLID_LAG, MOST_WITNESSES } from './witnesses/finality';

/** What the ballast, which has the rest of the network's, can give. */
const MOST_BANDWIDTH_STAKE = 27_000_000_000;

export class UsageError extends Error {}

export const HELP = `A local TRON full node for development and tests: its HTTP API on 127.0.0.1, worthless keys, real rules.

npm run --silent local-chain -- [options], or tron-local-chain [options] where the package is installed

  --port N          port for /wallet/* and /walletsolidity/* (default 9090; 0: a free one)
  --block 3s        time between blocks (300ms, 1s, …), or manual: blocks only by control/block
  --witnesses ${DEFAULT_WITNESSES}    who make and sign blocks in turn; a block is final when seven in ten of them have built on it
  --solid-lag N     instead: as many witnesses as put walletsolidity/* so many blocks behind the head (20: ${DEFAULT_WITNESSES})
  --connections 50  HTTP connections served at a time, idle ones included; further ones hang until one is closed (0: no limit)
  --bandwidth-stake N  whole TRX that the pool has staked for bandwidth (default ${POOL_NET_TRX})
  --parameter ID=VALUE  a parameter of the network by its proposal's number, more than once: 51=1, 31=16000000
  --data DIR        keeps the state there, over restarts and kills; without it the chain starts anew
  --control         also serves /control/*: blocks, clock, forks, accounts, energy use, faults
  --help            this

The first line on stdout is JSON: {"url","accounts":[{"role","address","private_key","balance_sun","staked_energy_sun"}]}.
local-chain/README.md (README.md of the package) tells how to test a wallet or an exchange against it.
`;

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function parseBlock(text: string): number | 'manual' {
  if (text === 'manual') return 'manual';
  const [, digits, unit] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(digits) * (UNITS[unit ?? ''] ?? NaN);
  if (!(ms > 0)) throw new UsageError(`--block must be a time such as 300ms or 3s, or manual; it is ${text}`);
  return ms;
}

function parseCount(name: string, text: string, { least = 0, most }: { least?: number; most: number }): number {
  const count = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(count >= least && count <= most))
    throw new UsageError(`--${name} must be a whole number from ${least} to ${most}; it is ${text}`);
  return count;
}

function parseRoster(witnesses: string | undefined, solidLag: string | undefined): LocalChainOptions {
  if (witnesses !== undefined && solidLag !== undefined)
    throw new UsageError('--witnesses and --solid-lag are two ways to say the same: give one of them');
  if (solidLag !== undefined) return { solidLag: parseCount('solid-lag', solidLag, { most: MOST_SOLID_LAG }) };
  if (witnesses === undefined) return {};
  return { witnesses: parseCount('witnesses', witnesses, { least: 1, most: MOST_WITNESSES }) };
}

function parseParameters(set: readonly string[]): Record<number, bigint> {
  const parsed = set.map((text) => {
    const [, id, value] = /^(\d{1,4})=(\d{1,18})$/.exec(text) ?? [];
    if (id === undefined || value === undefined)
      throw new UsageError(`--parameter is ID=VALUE, both whole numbers; it is ${text}`);
    const why = whyNotSet(Number(id), BigInt(value));
    if (why) throw new UsageError(`--parameter ${text}: ${why}`);
    return [Number(id), BigInt(value)] as const;
  });
  const ids = parsed.map(([id]) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new UsageError(`--parameter ${twice} is given twice`);
  return Object.fromEntries(parsed);
}

/** What the command line asks for; undefined when it asks for help. */
export function parseCommandLine(args: string[]): LocalChainOptions | undefined {
  let values;
  try {
    let tokens;
    ({ values, tokens } = parseArgs({
      args,
      tokens: true,
      options: {
        port: { type: 'string', default: '9090' },
        block: { type: 'string', default: `${DEFAULT_BLOCK_MS}ms` },
        witnesses: { type: 'string' },
        'solid-lag': { type: 'string' },
        connections: { type: 'string', default: String(DEFAULT_CONNECTIONS) },
        'bandwidth-stake': { type: 'string', default: String(POOL_NET_TRX) },
        parameter: { type: 'string', multiple: true },
        data: { type: 'string' },
        control: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }));
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const repeated = names.find((name, at) => name !== 'parameter' && names.indexOf(name) !== at);
    if (repeated !== undefined) throw new Error(`--${repeated} is given twice`);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (values.help) return undefined;
  return {
    port: parseCount('port', values.port, { most: 65_535 }),
    block: parseBlock(values.block),
    ...parseRoster(values.witnesses, values['solid-lag']),
    connections: parseCount('connections', values.connections, { most: 1_000_000 }),
    bandwidthStakeTrx: parseCount('bandwidth-stake', values['bandwidth-stake'], { most: MOST_BANDWIDTH_STAKE }),
    ...(values.parameter && { parameters: parseParameters(values.parameter) }),
    data: values.data,
    control: values.control,
  };
}
