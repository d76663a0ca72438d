/**
 * The rooms of the service, from the bottom up: each imports rooms before it alone, types included. A folder of `src` is a room, and so is
 * each of the six in `src/chain`. `app` are the files that put the service together.
 */
export const ROOMS = [
  'config',
  'common',
  'languages',
  'database',
  'chain/proof',
  'chain/tron',
  'chain/verified-chain',
  'chain/transactions',
  'chain/observer',
  'chain/pool',
  'chain',
  'users',
  'rate-limit',
  'audit-log',
  'mail',
  'auth',
  'balance',
  'billing',
  'findings',
  'webhooks',
  'delegation',
  'reporting',
  'stake-care',
  'deposits',
  'quote',
  'reconciliation',
  'notices',
  'admin',
  'weak-settings',
  'telemetry',
  'health',
  'openapi',
  'seed',
  'entities',
  'bootstrap',
  'cli',
  'panel',
  'site',
  'app',
] as const;

/** What ranks do not say. Nothing of these rooms imports what stands beside it. */
export const NEVER: Readonly<Record<string, readonly string[]>> = {
  // A page asks services; it has no SQL, and starts nothing.
  panel: ['database', 'bootstrap', 'cli', 'health', 'seed', 'entities'],
  site: ['database', 'bootstrap', 'cli', 'health', 'seed', 'entities'],
};

/** Rooms that may import a package that would spread everywhere. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  tronweb: ['chain/proof', 'chain/tron', 'chain/transactions', 'chain/verified-chain', 'chain/observer', 'chain/pool'],
};

/** The packages of this repository, by their sources: they share no line with the service, nor with each other. */
export const WORKSPACES = ['local-chain/src', 'clients/typescript/src', 'signer/src'];
