import type { Block } from '../chain/block.model';
import type { ChainNode, StateChange } from '../chain/chain.node';
import { whyNotSet } from '../chain/chain.parameters';
import { ChainControlError } from '../chain/control.error';
import { ROUTES } from '../http/route.table';
import { ACCOUNT_TYPE } from '../protobuf/contract.schema';
import type { JsonObject } from '../protobuf/json.printer';
import { encodeBase58 } from '../signing/address.codec';
import { newAccount, weightTrx, type Account } from '../state/account.model';
import type { Network } from '../state/network.model';
import { keys } from '../state/world.state';
import { OTHER_TOKEN, USDT } from '../token/token.model';
import { findFlag, findInteger, getAddress, getInteger, textOf } from './control.body';
import type { ControlledNode } from './controlled.node';
import { fitsRoute, routesOf } from './fault.answer';
import { DONE_FIRST, FAULT_KINDS, parseKind } from './fault.plan';
import { controlPayment } from './payment.control';
import { controlTransaction } from './transaction.control';
import { controlWitnesses } from './witness.control';

const MOST_BLOCKS = 100_000n;
const shown = ({ height, id, timestamp }: Block): JsonObject => ({ number: height, id, timestamp });

function block(node: ChainNode, body: JsonObject): JsonObject {
  const count = findInteger(body, 'count') ?? 1n;
  const timestamp = findInteger(body, 'timestamp');
  if (count > MOST_BLOCKS) throw new ChainControlError(`"count" must be at most ${MOST_BLOCKS}`);
  if (timestamp !== undefined && count !== 1n)
    throw new ChainControlError('"timestamp" is the time of one block: "count" must be 1');
  for (let i = 0n; i < count; i++) node.produceBlock(timestamp === undefined ? undefined : Number(timestamp));
  return { head: shown(node.head), solid: node.solidHeight };
}

function fork(node: ChainNode, body: JsonObject): JsonObject {
  const keep = body['keep'] ?? [];
  if (!Array.isArray(keep) || keep.some((id) => !/^[0-9a-fA-F]{64}$/.test(String(id))))
    throw new ChainControlError('"keep" must be a list of transaction ids');
  const result = node.fork(Number(getInteger(body, 'from')), new Set(keep.map((id) => String(id).toLowerCase())));
  return { ...result, head: shown(node.head), solid: node.solidHeight };
}

/** Without a number the view follows what is final again. */
function solidLag(node: ChainNode, body: JsonObject): JsonObject {
  const blocks = findInteger(body, 'blocks');
  node.setSolidLag(blocks === undefined ? undefined : Number(blocks));
  return { solid: node.solidHeight };
}

/** Fields that are given change, the rest stays; stake counts in the network's weight like any other. */
function account(node: ChainNode, body: JsonObject): JsonObject {
  const address = getAddress(body);
  const type = body['type'] === undefined ? undefined : ACCOUNT_TYPE.findNumber(textOf(body, 'type'));
  if (body['type'] !== undefined && type !== 0 && type !== 2)
    throw new ChainControlError('"type" must be Normal or Contract');
  const [balanceSun, stakedSun] = [findInteger(body, 'balance_sun'), findInteger(body, 'staked_energy_sun')];
  const change = (before?: Account): Account => {
    const fresh = before === undefined || (type !== undefined && before.type !== type);
    const after = { ...(fresh ? newAccount(address, node.head.timestamp, type ?? 0) : before) };
    if (before) Object.assign(after, { balanceSun: before.balanceSun, net: before.net, energy: before.energy });
    if (balanceSun !== undefined) after.balanceSun = balanceSun;
    if (stakedSun !== undefined) after.energy = { ...after.energy, frozenSun: stakedSun };
    return after;
  };
  const now = node.state.head().get(keys.account(address)) as Account | undefined;
  const added = weightTrx(change(now).energy) - (now ? weightTrx(now.energy) : 0n);
  const weigh = (network?: Network): Network => ({
    ...network!,
    totalEnergyWeightTrx: network!.totalEnergyWeightTrx + added,
  });
  node.amend(
    new Map<string, StateChange>([
      [keys.account(address), change],
      [keys.network, weigh],
    ]),
  );
  return { address };
}

function weight(node: ChainNode, body: JsonObject): JsonObject {
  const trx = getInteger(body, 'energy_trx');
  node.amend(new Map([[keys.network, (network: Network | undefined) => ({ ...network!, totalEnergyWeightTrx: trx })]]));
  return { energy_trx: trx };
}

/** As though it had always been so; what blocks pay, from the begin of this cycle on. */
function parameter(node: ChainNode, body: JsonObject): JsonObject {
  const [id, value] = [Number(getInteger(body, 'id')), getInteger(body, 'value')];
  const why = whyNotSet(id, value);
  if (why) throw new ChainControlError(why);
  node.setParameters({ [id]: value });
  return { id, value };
}

/** Balances are put there; the energy factor, in ten thousandths, makes every call of the token dearer, as on a contract in heavy use. */
function controlToken(node: ChainNode, body: JsonObject): JsonObject {
  const token = findFlag(body, 'other') ? OTHER_TOKEN : USDT;
  const [balance, factor] = [findInteger(body, 'balance'), findInteger(body, 'energy_factor')];
  if ((balance === undefined) === (factor === undefined))
    throw new ChainControlError('give "address" and "balance", or "energy_factor"');
  const change: [string, StateChange] =
    balance === undefined
      ? [keys.network, (network: Network | undefined) => ({ ...network!, tokenEnergyFactor: factor! })]
      : [token.balanceKey(getAddress(body)), () => balance];
  node.amend(new Map([change]));
  return { contract: encodeBase58(Buffer.from(token.address, 'hex')) };
}

async function spendEnergy(node: ChainNode, body: JsonObject): Promise<JsonObject> {
  const address = getAddress(body);
  if (!node.pool.world.findAccount(address)) throw new ChainControlError('no account has this address');
  const bill = await node.spend(address, getInteger(body, 'energy'));
  return { energy_usage: bill.energyUsed, energy_fee: bill.burnedSun };
}

function fault(_node: ChainNode, body: JsonObject, { faults }: ControlledNode): JsonObject {
  const route = textOf(body, 'route').replace(/^\/+/, '');
  const parsed = parseKind(textOf(body, 'kind'));
  if (!parsed)
    throw new ChainControlError(
      `"kind" must be one of ${FAULT_KINDS.join(', ')}, with ${DONE_FIRST} in front when the call is to be executed first`,
    );
  if (!ROUTES.has(route)) throw new ChainControlError(`unknown route ${route}`);
  if (!fitsRoute(parsed.kind, route))
    throw new ChainControlError(`${parsed.kind} is for ${routesOf(parsed.kind).join(', ')}`);
  const [count, blocks] = [findInteger(body, 'count') ?? 1n, findInteger(body, 'blocks') ?? 20n];
  if (parsed.kind === 'none' || count === 0n) faults.clear(route);
  else faults.add({ route, ...parsed, count: Number(count), blocks: Number(blocks) });
  return { faults: faults.list().map((it) => ({ ...it })) };
}

/** Stops the node that is asked, and no other one of the chain. */
function standStill(_node: ChainNode, body: JsonObject, { sight }: ControlledNode): JsonObject {
  const [head, solid, broadcasts] = ['head', 'solid', 'broadcasts'].map((name) => findFlag(body, name)) as [
    boolean,
    boolean,
    boolean,
  ];
  sight.stand({ head, solid, broadcasts });
  return { head: sight.head.height, solid: sight.solidView().head.height, broadcasts };
}

type ControlRoute = (node: ChainNode, body: JsonObject, endpoint: ControlledNode) => JsonObject | Promise<JsonObject>;

export const CONTROL_ROUTES: ReadonlyMap<string, ControlRoute> = new Map<string, ControlRoute>([
  ['block', block],
  ['clock', (node, body) => (node.clock.advance(Number(getInteger(body, 'ms'))), { now: node.clock.now() })],
  ['solid-lag', solidLag],
  ['witnesses', controlWitnesses],
  ['fork', fork],
  ['account', account],
  ['weight', weight],
  ['parameter', parameter],
  ['token', controlToken],
  ['spend-energy', spendEnergy],
  ['transaction', controlTransaction],
  ['payment', controlPayment],
  ['fault', fault],
  ['node', async (_node, _body, { options }) => ({ url: await options.openAnother() })],
  ['stand-still', standStill],
]);
