import type { Kernel } from '../kernel/kernel';
import type { NodeLies } from '../network/node-lies';
import type { NodeServer } from '../network/node-server';
import type { SimChain } from '../network/sim-chain';
import type { TooLargeAnswers } from '../network/too-large-answers';
import type { UnreadableBlocks } from '../network/unreadable-blocks';
import type { Action } from './plan';
import type { Setting } from './setup';
import type { Tally } from './tally';

type Of<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>;
export type ChainAction = Of<
  | 'node-fault'
  | 'node-lies'
  | 'node-slow'
  | 'too-large-answers'
  | 'node-away'
  | 'node-behind'
  | 'unreadable-blocks'
  | 'silent-witnesses'
  | 'fork'
  | 'weight'
  | 'stranger'
>;

/** What goes wrong with nodes and the chain, and who else uses a wallet. */
export class ChainTrouble {
  constructor(
    private readonly kernel: Kernel,
    private readonly chain: SimChain,
    private readonly servers: readonly NodeServer[],
    private readonly unreadable: UnreadableBlocks,
    private readonly lies: NodeLies,
    private readonly tooLarge: TooLargeAnswers,
    private readonly tally: Tally,
  ) {}

  async carryOut(action: ChainAction, setting: Setting): Promise<void> {
    this.tally.add(nameOf(action));
    switch (action.kind) {
      case 'node-fault':
        return this.chain.fault(action.node, action.route, action.fault, action.count);
      case 'node-lies':
        return this.lies.begin(this.chain.endpoints[action.node]!, action.lie);
      case 'node-slow':
        return void Object.assign(this.servers[action.node]!, { slowByMs: action.byMs });
      case 'too-large-answers':
        return this.tooLarge.begin(this.chain.endpoints[action.node]!, action.route, action.way);
      case 'silent-witnesses':
        return this.silence(action);
      case 'node-away':
        return void Object.assign(this.servers[action.node]!, {
          awayUntilMs: this.kernel.nowMs + action.forMs,
          awayHow: action.how,
        });
      case 'node-behind':
        return this.leaveBehind(action);
      case 'unreadable-blocks':
        return this.hide(action);
      case 'fork':
        return this.chain.fork(action.depth, action.keep);
      case 'weight':
        return this.drift(action.percent);
      case 'stranger':
        return this.stranger(action, setting);
      default:
        throw new Error(`no such action: ${JSON.stringify(action satisfies never)}`);
    }
  }

  /** Nodes that lie or are slow stay so. */
  calm(): void {
    for (const server of this.servers) server.awayUntilMs = 0;
    for (const { faults, sight } of this.chain.endpoints) {
      for (const { route } of Array.from(faults.list())) faults.clear(route);
      sight.stand({ head: false, solid: false, broadcasts: false });
    }
  }

  private leaveBehind({ node, forMs, what }: Of<'node-behind'>): void {
    const { sight } = this.chain.endpoints[node]!;
    sight.stand({ head: what === 'head', solid: true, broadcasts: false });
    this.kernel.after(forMs, null, () => sight.stand({ head: false, solid: false, broadcasts: false }));
  }

  private hide({ count, way, untilMs }: Of<'unreadable-blocks'>): void {
    const next = this.chain.node.head.height + 1;
    const heights = Array.from({ length: count }, (_, at) => next + at);
    this.unreadable.add(heights, way);
    this.kernel.after(untilMs - this.kernel.elapsedMs, null, () => this.unreadable.remove(heights));
  }

  private async silence({ count, forMs }: Of<'silent-witnesses'>): Promise<void> {
    await this.chain.silence(count);
    this.kernel.after(forMs, null, () => this.chain.endSilence());
  }

  private async drift(percent: number): Promise<void> {
    const trx = this.chain.node.walletView().world.network.totalEnergyWeightTrx;
    await this.chain.control('weight', { energy_trx: String((trx * BigInt(Math.round(percent * 100))) / 10_000n) });
  }

  private async stranger({ does, receiver, part }: Of<'stranger'>, { wallets, receivers }: Setting): Promise<void> {
    const [wallet, address] = [wallets[0]!, receivers[receiver]!];
    const sun = BigInt(Math.round(6_900_000_000 * part));
    if (does !== 'leave') return this.chain.stranger(does, wallet, address, sun);
    const more = (await this.chain.stakeBetween(wallet, address)) - sun;
    if (more > 0n) await this.chain.stranger('undelegate', wallet, address, more);
  }
}

/** As it is counted (never-met.ts); calls that meet a fault are counted where they do. */
function nameOf(action: ChainAction): string {
  if (action.kind === 'node-away') return `node away, ${action.how}`;
  if (action.kind === 'node-behind') return `node behind, ${action.what}`;
  if (action.kind === 'unreadable-blocks') return `unreadable blocks, ${action.way}`;
  if (action.kind === 'stranger') return `stranger, ${action.does}`;
  return action.kind;
}
