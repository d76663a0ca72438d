import type { Client } from 'pg';
import { worthlessKey } from '../../../local-chain/src/genesis.accounts';
import type { Kernel } from '../kernel/kernel';
import type { SimChain } from '../network/sim-chain';
import { SIGNER_HOST } from '../network/signer-edge';
import { type HeldKey, SignerServer } from '../network/signer-server';
import type { SimNetwork } from '../network/sim-network';
import { checkSignatures } from './signature-checker';
import { moveKeys } from './signed-wallets';
import type { Plan } from './plan';
import type { SignerAction } from './plan-signer';
import { STAKE_OF_ORDER_SUN } from './setup';
import type { Tally } from './tally';

const ACTIVATION_KEY = 'activation';

/** The signer of a history, what goes wrong with it, and whether what it was asked for is right. */
export class SignerTrouble {
  readonly server: SignerServer;
  private keys: readonly HeldKey[] = [];
  /** Another key of each id, once the signer has had them. */
  private others: readonly HeldKey[] = [];
  /** While several restarts are under way, the last one counts. */
  private starts = 0;

  constructor(
    private readonly kernel: Kernel,
    private readonly chain: SimChain,
    private readonly database: Client,
    private readonly plan: Plan,
    private readonly tally: Tally,
    network: SimNetwork,
  ) {
    this.server = new SignerServer(kernel);
    network.servers.set(SIGNER_HOST, this.server);
    this.server.met = (what) => tally.add(what);
  }

  async begin(): Promise<void> {
    if (!this.plan.signer) return;
    this.keys = await moveKeys(this.database, this.chain, this.plan.signer);
    await this.server.start(this.keys);
  }

  async carryOut(action: SignerAction): Promise<void> {
    this.tally.add(action.kind);
    const { server, kernel } = this;
    switch (action.kind) {
      case 'signer-kill':
        server.endsAt = action.point;
        server.ended = () => this.startLater(action.forMs);
        return;
      case 'signer-hang':
        server.hangsUntilMs = kernel.nowMs + action.forMs;
        return;
      case 'signer-late':
        Object.assign(server, { lateUntilMs: kernel.nowMs + action.forMs, lateByMs: action.byMs });
        return;
      case 'signer-swap':
        server.swaps += action.count;
        return;
      case 'signer-other':
        this.tally.add(`signer, with ${action.has}`);
        if (action.has === 'another key') this.others = otherThan(this.keys, action.has);
        this.startLater(action.forMs);
        return server.start(otherThan(this.keys, action.has));
      default:
        throw new Error(`no such action: ${JSON.stringify(action satisfies never)}`);
    }
  }

  async calm(): Promise<void> {
    if (!this.plan.signer) return;
    Object.assign(this.server, { lateUntilMs: 0, hangsUntilMs: 0, swaps: 0, endsAt: null });
    this.starts += 1;
    await this.server.start(this.keys);
  }

  private startLater(forMs: number): void {
    const mine = ++this.starts;
    this.kernel.after(forMs, null, () => (mine === this.starts ? this.server.start(this.keys) : undefined));
  }

  /** Whether a key may have reached its limit with so much stake more, or with one activation more. */
  mayBeAtLimit(stakeSun: bigint, activates: boolean): boolean {
    const { mostOrders, mostTransfers } = this.plan.signer ?? { mostOrders: null, mostTransfers: null };
    return this.keys.some(({ id, role }) => {
      if (role === 'activate') return activates && mostTransfers !== null && this.signed(id) >= BigInt(mostTransfers);
      if (role !== 'delegate' || mostOrders === null) return false;
      return this.signed(id) + stakeSun > BigInt(mostOrders) * STAKE_OF_ORDER_SUN;
    });
  }

  /** The stake that a key has lent since the beginning, or the transfers of the key that activates: a history is shorter than the hour that counts. */
  private signed(id: string): bigint {
    const counted = id === ACTIVATION_KEY ? 'TransferContract' : 'DelegateResourceContract';
    const lines = this.server.lines().filter(({ key, kind }) => key === id && kind === counted);
    const amounts = new Map(lines.map(({ txid, amount }) => [txid, id === ACTIVATION_KEY ? 1n : BigInt(amount!)]));
    return [...amounts.values()].reduce((sum, one) => sum + one, 0n);
  }

  /** What must never be, at the end. */
  async check(): Promise<string[]> {
    const { signer } = this.plan;
    if (!signer) return [];
    const above = this.keys.flatMap(({ id, role, limits }) => {
      const most = role === 'activate' ? limits.transfersPerHour : limits.stakeSunPerHour;
      const sum = most === undefined ? 0n : this.signed(id);
      return most !== undefined && sum > most
        ? [`the signer's key ${id} has signed ${sum} in an hour, of ${most}`]
        : [];
    });
    return [...above, ...(await checkSignatures(this.database, this.keys, this.others, this.server.lines()))];
  }
}

/** As an operator's mistake makes it. */
function otherThan(keys: readonly HeldKey[], has: 'another key' | 'a key less' | 'hardly any stake'): HeldKey[] {
  if (has === 'a key less') return keys.slice(1);
  if (has === 'another key')
    return keys.map((key) => ({ ...key, privateKey: worthlessKey(`another key in the place of ${key.id}`) }));
  // The other limits stay: what was signed without them would count against them later.
  return keys.map((key) => ({ ...key, limits: { ...key.limits, stakeSunPerHour: STAKE_OF_ORDER_SUN / 2n } }));
}
