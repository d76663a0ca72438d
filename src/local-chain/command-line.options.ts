import { parseArgs } from 'node:util';
import { DEFAULT_BLOCK_MS, DEFAULT_CONNECTIONS, DEFAULT_SOLID_LAG, type LocalChainOptions } from './local-chain';

export class UsageError extends Error {}

export const HELP = `A local TRON full node for development and tests: its HTTP API on 127.0.0.1, worthless keys, real rules.

npm run --silent local-chain -- [options]

  --port N          port for /wallet/* and /walletsolidity/* (default 9090; 0: a free one)
  --block 3s        time between blocks (300ms, 1s, …), or manual: blocks only by control/block
  --solid-lag 20    blocks that walletsolidity/* is behind the head
  --connections 50  HTTP connections served at a time, idle ones included; further ones hang until one is closed (0: no limit)
  --data DIR        keeps the state there, over restarts and kills; without it the chain starts anew
  --control         also serves /control/*: blocks, clock, forks, accounts, energy use, faults
  --help            this

The first line on stdout is JSON: {"url","accounts":[{"role","address","private_key","balance_sun","staked_energy_sun"}]}.
docs/local-chain.md tells how to test a wallet or an exchange against it.
`;

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function parseBlock(text: string): number | 'manual' {
  if (text === 'manual') return 'manual';
  const [, digits, unit] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(digits) * (UNITS[unit ?? ''] ?? NaN);
  if (!(ms > 0)) throw new UsageError(`--block must be a time such as 300ms or 3s, or manual; it is ${text}`);
  return ms;
}

function parseCount(name: string, text: string, most: number): number {
  const count = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(count <= most)) throw new UsageError(`--${name} must be a whole number from 0 to ${most}; it is ${text}`);
  return count;
}

/** What the command line asks for; undefined when it asks for help. */
export function parseCommandLine(args: string[]): LocalChainOptions | undefined {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        port: { type: 'string', default: '9090' },
        block: { type: 'string', default: `${DEFAULT_BLOCK_MS}ms` },
        'solid-lag': { type: 'string', default: String(DEFAULT_SOLID_LAG) },
        connections: { type: 'string', default: String(DEFAULT_CONNECTIONS) },
        data: { type: 'string' },
        control: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (values.help) return undefined;
  return {
    port: parseCount('port', values.port, 65_535),
    block: parseBlock(values.block),
    solidLag: parseCount('solid-lag', values['solid-lag'], 1_000_000),
    connections: parseCount('connections', values.connections, 1_000_000),
    data: values.data,
    control: values.control,
  };
}
