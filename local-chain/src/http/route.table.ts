import { accountRoutes } from './account.routes';
import { balanceRoutes } from './balance.routes';
import { blockRoutes } from './block.routes';
import { broadcastRoutes } from './broadcast.routes';
import { builderRoutes } from './builder.routes';
import { contractRoutes } from './contract.routes';
import { nodeRoutes } from './node.routes';
import type { Route } from './route.model';
import { signatureRoutes } from './signature.routes';
import { transactionRoutes } from './transaction.routes';
import { witnessRoutes } from './witness.routes';

const all = [
  ...accountRoutes,
  ...balanceRoutes,
  ...blockRoutes,
  ...broadcastRoutes,
  ...builderRoutes,
  ...contractRoutes,
  ...nodeRoutes,
  ...signatureRoutes,
  ...transactionRoutes,
  ...witnessRoutes,
];

/** By path: `wallet/…`, and `walletsolidity/…` for what a real node serves there. */
export const ROUTES: ReadonlyMap<string, Route> = new Map(
  all.flatMap((route): [string, Route][] => [
    [`wallet/${route.name}`, route],
    ...(route.twin ? [[`walletsolidity/${route.name}`, route] as [string, Route]] : []),
  ]),
);
