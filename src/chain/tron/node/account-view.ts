import { createHash } from 'node:crypto';
import { amountIn, notUnderstood, recordIn, recordsIn } from './answer.reader';

/** What a node shows of an account that only transactions of its own change, but for TRX that it gets. */
export interface AccountView {
  readonly balanceSun: bigint;
  /** Staked for each resource, and not lent. */
  readonly energySun: bigint;
  readonly bandwidthSun: bigint;
  readonly votesSun: bigint;
  readonly lentEnergySun: bigint;
  readonly lentBandwidthSun: bigint;
  /** A digest of who may sign what. */
  readonly permissions: string;
  /** Time of the block before that of its last transaction that bandwidth has paid for; 0: there was none. */
  readonly operatedMs: number;
}

type Account = Record<string, unknown>;

/** The latest time that a Date can hold. */
const LATEST_TIME_MS = 8_640_000_000_000_000n;
/** protobuf leaves its first value out. */
const FIRST_RESOURCE = 'BANDWIDTH';

/** Reads the answer of `getaccount`, which shows nothing of an account that does not exist. @throws NodeUnavailableError */
export function readAccountView(account: Account): AccountView {
  const staked = (resource: string) =>
    recordsIn(account, 'frozenV2')
      .filter(({ type = FIRST_RESOURCE }) => type === resource)
      .reduce((sum, entry) => sum + amountIn(entry, 'amount'), 0n);
  const operatedMs = amountIn(account, 'latest_opration_time');
  if (operatedMs > LATEST_TIME_MS) throw notUnderstood('latest_opration_time');
  return {
    balanceSun: amountIn(account, 'balance'),
    energySun: staked('ENERGY'),
    bandwidthSun: staked(FIRST_RESOURCE),
    votesSun: staked('TRON_POWER'),
    lentEnergySun: amountIn(recordIn(account, 'account_resource'), 'delegated_frozenV2_balance_for_energy'),
    lentBandwidthSun: amountIn(account, 'delegated_frozenV2_balance_for_bandwidth'),
    permissions: digestOf(account),
    operatedMs: Number(operatedMs),
  };
}

/** Nodes of different releases write the fields in different orders, and numbers as text. */
function digestOf({
  owner_permission: owner,
  witness_permission: witness,
  active_permission: active,
}: Account): string {
  const text = JSON.stringify([owner, witness, active].map(inOneOrder));
  return createHash('sha256').update(text).digest('hex');
}

function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder);
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return fields.map(([name, field]) => [name, inOneOrder(field)]);
}
