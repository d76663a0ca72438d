import type { ChainNode } from '../chain/chain.node';
import { printAccount } from '../http/account.printer';
import { compact } from '../http/compact.json';
import { printIncluded, printInfo } from '../http/transaction.printer';
import type { Json, JsonObject } from '../protobuf/json.printer';
import { printJson } from '../protobuf/lossless.json';
import type { Account } from '../state/account.model';
import type { Delegation } from '../state/delegation.model';
import { StateLayer } from '../state/state.layer';
import { WorldState, keys } from '../state/world.state';

const delegationOf = (it: Delegation, locked: boolean): JsonObject => ({
  from: it.from,
  to: it.to,
  locked,
  energy_sun: it.energy.amountSun.toString(),
  bandwidth_sun: it.net.amountSun.toString(),
  ...compact({ energy_expires_at: it.energy.expiresAt, bandwidth_expires_at: it.net.expiresAt }),
});

function* list(name: string, items: Iterable<Json>): Generator<string> {
  yield `,"${name}":[`;
  let separator = '';
  for (const item of items) {
    yield separator + printJson(item);
    separator = ',';
  }
  yield ']';
}

function* transactions(node: ChainNode): Generator<JsonObject> {
  for (const included of node.blocks.everyTransaction()) {
    if (included.height === 0) continue;
    const block = node.blocks.find(included.height)!;
    yield {
      txID: included.id,
      blockNumber: included.height,
      solid: included.height <= node.solidHeight,
      info: printInfo(included, block.timestamp),
      transaction: printIncluded(included, false),
    };
  }
}

/** The whole truth of the head, without what is pending; piece by piece, for it can be large. */
export function* reportState(node: ChainNode): Generator<string> {
  const head = node.state.head();
  const world = new WorldState(new StateLayer(head), node.head.timestamp);
  const solid = node.blocks.find(node.solidHeight)!;
  const genesis = node.blocks.find(0)!;
  const block = ({ height, id, timestamp }: typeof solid): JsonObject => ({ number: height, id, timestamp });
  const { network } = world;
  const facts: JsonObject = {
    genesis: genesis.id,
    head: block(node.head),
    solid: block(solid),
    now: node.clock.now(),
    network: {
      energy_trx: network.totalEnergyWeightTrx,
      bandwidth_trx: network.totalNetWeightTrx,
      burned_sun: network.burnedSun.toString(),
    },
    pending: node.pool.transactions.map(({ id }) => id),
  };
  yield printJson(facts).slice(0, -1);
  const accounts = [...head.entries('a').values()] as Account[];
  yield* list(
    'accounts',
    accounts.map((account) => printAccount(world, account, false)),
  );
  const [free, locked] = ['d0', 'd1'].map((prefix) => [...head.entries(prefix).values()] as Delegation[]);
  yield* list('delegations', [
    ...free!.map((it) => delegationOf(it, false)),
    ...locked!.map((it) => delegationOf(it, true)),
  ]);
  const balances = [...head.entries(keys.token())] as [string, bigint][];
  yield* list(
    'token_balances',
    balances.map(([key, balance]) => ({ address: key.slice(keys.token().length), balance: balance.toString() })),
  );
  yield* list('transactions', transactions(node));
  yield '}\n';
}
