import type { Machine } from '../database/machine';
import { SimDatabase } from '../database/sim-database';
import { Kernel } from '../kernel/kernel';
import type { SimProcess } from '../kernel/sim-process';
import { enter } from '../kernel/virtual-world';
import { NodeLies } from '../network/node-lies';
import { NodeServer } from '../network/node-server';
import { BLOCK_MS, SimChain } from '../network/sim-chain';
import { SimNetwork } from '../network/sim-network';
import { TooLargeAnswers } from '../network/too-large-answers';
import { UnreadableBlocks } from '../network/unreadable-blocks';
import { WebhookServer } from '../network/webhook-server';
import { Callers } from './callers';
import { ChainTrouble } from './chain-trouble';
import { checkEnd, isReconciledLater, openWork } from './checker';
import { DatabaseTrouble, isOfDatabase } from './database-trouble';
import { EnergyRates } from './energy-rates';
import type { History } from './history';
import { FEWER_MS, Instances } from './instances';
import { CustomerDeposits } from './customer-deposits';
import { CaredStakes } from './cared-stakes';
import { type Action, calmFromMs, type Plan, TROUBLE_MS, UNREADABLE_MS } from './plan';
import { RefusalJudge } from './refusal-judge';
import { RunningChecker } from './running-checker';
import { checkDecided, checkSettled, waitsForEveryNode } from './settled-checker';
import { HOOK_HOST, type Setting, setUp } from './setup';
import { isOfSigner } from './plan-signer';
import { SignerTrouble } from './signer-trouble';
import { isOfDeposits } from './payments';
import { isOfStake } from './stake-acts';
import { StallJudge } from './stall-judge';
import { Tally } from './tally';
import { type TrapAction, Traps } from './traps';
import { UnreadJudge } from './unread-judge';
import { Violations } from './violations';

export type { History } from './history';

/** From the last trouble on: expirations, reclaims, back-offs and what else has to come to its end. */
const MOST_SETTLING_MS = 900_000;
/** Within it, all that was signed is final or proved dead, and all money where it belongs; what is lent comes back later. */
const MOST_DECIDING_MS = 300_000;
/** Two runs of the reconciler, of which none is of the time before. */
const RECONCILED_MS = 150_000;

/** One history from its plan to the checker's word. */
export class World {
  private readonly kernel: Kernel;
  private readonly chain: SimChain;
  private readonly rates: EnergyRates;
  private readonly database: SimDatabase;
  private readonly servers: NodeServer[];
  private readonly unreadable = new UnreadableBlocks();
  private readonly lies = new NodeLies();
  private readonly tooLarge = new TooLargeAnswers((what) => this.violations.add(what));
  private readonly hooks: WebhookServer;
  private readonly violations: Violations;
  private readonly tally = new Tally();
  private readonly traps: Traps;
  private readonly instances: Instances;
  private readonly callers: Callers;
  private readonly chainTrouble: ChainTrouble;
  private readonly databaseTrouble: DatabaseTrouble;
  private readonly stakes: CaredStakes;
  private readonly signer: SignerTrouble;
  private readonly deposits: CustomerDeposits;
  private setting!: Setting;
  private isSettled = false;

  private constructor(
    private readonly plan: Plan,
    private readonly machine: Machine,
  ) {
    this.kernel = new Kernel(plan.seed);
    enter(this.kernel);
    this.violations = new Violations(this.kernel);
    this.chain = new SimChain(this.kernel, plan.nodes);
    this.rates = new EnergyRates(this.chain);
    this.database = new SimDatabase(this.kernel, machine, plan.isPrompt).enter();
    this.traps = new Traps(
      (process) => this.instances.end(process),
      (process, forMs) => this.instances.stop(process, forMs),
      ({ what, code, trap: { at, point } }) => {
        this.tally.add(`${what} ${point} ${at}`);
        if (what === 'refusal') this.tally.add(`refusal ${code}`);
      },
    );
    this.database.watch = (client, name, point) => this.traps.statement(client.process, name, client.ran, point);
    this.database.kill = (process) => this.instances.end(process);
    this.database.met = (what) => this.tally.add(what);
    const network = new SimNetwork(this.kernel, plan.isPrompt).enter();
    const violated = (what: string) => this.violations.add(what);
    const kill = async (process: SimProcess, name: 'broadcast' | 'call' | 'webhook', point: 'before' | 'after') => {
      const isHit = this.traps.call(process, name, point);
      if (isHit) await this.database.bury(process);
      return isHit;
    };
    this.databaseTrouble = new DatabaseTrouble(this.kernel, this.database, this.tally);
    const watch = {
      violated,
      isExcused: (answeredMs: number) => this.databaseTrouble.mayHaveEndedAClaim(answeredMs),
      point: (call: { process: SimProcess }, isBroadcast: boolean, point: 'before' | 'after') => {
        if (isBroadcast && point === 'after') this.see();
        return kill(call.process, isBroadcast ? 'broadcast' : 'call', point);
      },
    };
    const gateway = plan.gateway ? [this.chain.endpoints] : [];
    this.servers = [...this.chain.endpoints.map((node) => [node]), ...gateway].map(
      (nodes) => new NodeServer(this.kernel, nodes, machine.monitor, watch, this.unreadable, this.lies, this.tooLarge),
    );
    const urls = this.servers.map((_, number) => `http://node${number}.example`);
    this.instances = new Instances(this.kernel, plan, this.database, machine.databaseUrl, urls, this.tally, violated);
    this.chainTrouble = new ChainTrouble(
      this.kernel,
      this.chain,
      this.servers,
      this.unreadable,
      this.lies,
      this.tooLarge,
      this.tally,
    );
    this.stakes = new CaredStakes(this.kernel, this.chain, machine.monitor, plan, this.instances, this.tally);
    this.signer = new SignerTrouble(this.kernel, this.chain, machine.monitor, plan, this.tally, network);
    this.deposits = new CustomerDeposits(this.kernel, this.chain, machine.monitor, plan, this.tally);
    for (const [at, server] of this.servers.entries()) network.servers.set(`node${at}.example`, server);
    const hookWatch = {
      violated,
      point: (call: { process: SimProcess }, point: 'before' | 'after') => kill(call.process, 'webhook', point),
    };
    this.hooks = new WebhookServer(
      this.kernel,
      machine.monitor,
      hookWatch,
      () => this.kernel.elapsedMs < TROUBLE_MS,
      this.chain.everIncluded,
      () => this.databaseTrouble.offMs,
    );
    network.servers.set(HOOK_HOST, this.hooks);
    this.callers = new Callers(
      this.kernel,
      (at) => this.instances.at(at),
      violated,
      this.chain,
      this.tally,
      new UnreadJudge(machine.monitor, this.chain, this.unreadable),
      new RefusalJudge(
        machine.monitor,
        plan,
        this.rates,
        () => this.chain.foreignTxIds.size > 0,
        () => new Date(this.kernel.nowMs),
        (address) => this.stakes.mayBeShort(address),
        (sun, activates) => this.signer.mayBeAtLimit(sun, activates),
      ),
      new StallJudge(
        machine.monitor,
        this.chain.silences,
        () => this.kernel.nowMs,
        (shownMs) => this.databaseTrouble.timesOf(shownMs),
        plan.actions,
        this.instances.startsMs,
      ),
    );
  }

  static async run(plan: Plan, machine: Machine): Promise<History> {
    const world = new World(plan, machine);
    try {
      return await world.live();
    } catch (error) {
      // What an instance throws outside of all promises ends its process, too: it must not.
      world.violations.add(`thrown: ${error instanceof Error ? error.stack : String(error)}`);
      return world.history();
    } finally {
      await world.database.end();
      await world.signer.server.remove();
      world.chain.node.close();
      enter(null);
    }
  }

  private async live(): Promise<History> {
    const { kernel, plan } = this;
    this.setting = await setUp(kernel, this.machine.monitor, this.chain, plan);
    const violated = (what: string) => this.violations.add(what);
    this.stakes.begin(this.setting, violated);
    await this.signer.begin();
    await this.deposits.begin(this.setting, violated);
    this.see();
    await this.machine.keepOldRows();
    const running = new RunningChecker(this.machine.monitor, this.chain, violated);
    kernel.after(BLOCK_MS, null, () => this.produceBlocks(running));
    this.instances.startAll();
    for (const action of plan.actions) kernel.after(action.atMs, null, () => this.carryOut(action));
    kernel.after(TROUBLE_MS, null, () => this.calm());
    kernel.after(FEWER_MS, null, () => this.instances.leaveOne());
    kernel.after(FEWER_MS, null, () => this.lookForEnd());
    kernel.after(UNREADABLE_MS - 2 * BLOCK_MS, null, () => this.checkSettled());
    kernel.after(calmFromMs(plan) + MOST_DECIDING_MS, null, () => this.checkDecided());
    await kernel.run(() => this.isSettled || this.violations.list.length > 0);
    if (this.violations.list.length === 0) {
      const { chain, rates, hooks, deposits, tally, setting, machine, signer } = this;
      const { told, refused } = this.callers;
      const of = { plan, setting, rates, hooks, deposits, told, refused, tally, signer };
      this.violations.addAll(await checkEnd({ database: machine.monitor, chain, ...of }));
    }
    for (const { name, times } of this.chain.metFaults()) if (times > 0) this.tally.add(name, times);
    for (const [lie, times] of this.lies.told) this.tally.add(`node lies, ${lie}`, times);
    for (const [what, times] of this.tooLarge.given) this.tally.add(`too large answers, ${what}`, times);
    return this.history();
  }

  private history(): History {
    const { kernel } = this;
    return {
      violations: this.violations.list,
      digest: kernel.digest(),
      lines: kernel.lines,
      events: kernel.events,
      virtualMs: kernel.elapsedMs,
      orders: this.callers.count,
      counts: this.tally.counts,
    };
  }

  private async produceBlocks(running: RunningChecker): Promise<void> {
    // Before the next block: what was concluded too early would be true by then.
    await running.check();
    await this.stakes.check();
    await this.deposits.check();
    this.chain.produceBlock();
    this.see();
    this.kernel.after(BLOCK_MS, null, () => this.produceBlocks(running));
  }

  private async checkSettled(): Promise<void> {
    if (this.unreadable.areAny)
      this.violations.addAll(await checkSettled(this.machine.monitor, this.chain, this.unreadable));
  }

  private async checkDecided(): Promise<void> {
    this.violations.addAll(await checkDecided(this.machine.monitor));
    // Stake that a stranger took is given up only when every node says that it is gone: with one that never answers, its order waits.
    this.tooLarge.end();
  }

  /** Everything works again; what has ended is started within seconds, as ever. */
  private async calm(): Promise<void> {
    this.traps.clear();
    this.databaseTrouble.calm();
    this.chainTrouble.calm();
    await this.signer.calm();
  }

  private async lookForEnd(): Promise<void> {
    const isLong = this.kernel.elapsedMs > calmFromMs(this.plan) + MOST_DECIDING_MS;
    if (isLong && (await waitsForEveryNode(this.machine.monitor))) this.lies.end('a solid block of long ago');
    const open = (await openWork(this.machine.monitor)) ?? (await this.deposits.openWork());
    if (open === null && this.callers.areDone) {
      const waitMs = (await isReconciledLater(this.machine.monitor, this.chain)) ? RECONCILED_MS : 0;
      this.kernel.after(waitMs, null, () => void (this.isSettled = true));
      return;
    }
    if (this.kernel.elapsedMs > TROUBLE_MS + MOST_SETTLING_MS) {
      this.violations.add(
        `not settled ${MOST_SETTLING_MS / 60_000} minutes after the last trouble: ${open ?? 'a caller waits'}`,
      );
      return;
    }
    this.kernel.after(5_000, null, () => this.lookForEnd());
  }

  private async carryOut(action: Action): Promise<void> {
    if (action.kind !== 'order') this.kernel.log(`** ${JSON.stringify(action)}`);
    if (action.kind === 'order') return this.callers.order(action.order, this.setting);
    if ('trap' in action) return this.trap(action);
    if (isOfDatabase(action)) return this.databaseTrouble.carryOut(action);
    if (isOfSigner(action)) return this.signer.carryOut(action);
    if (isOfDeposits(action)) return this.deposits.carryOut(action, this.setting);
    if (isOfStake(action)) await this.stakes.carryOut(action, this.setting);
    else await this.chainTrouble.carryOut(action, this.setting);
    this.see();
  }

  /** What nodes show of stake may have changed. */
  private see(): void {
    this.rates.see();
    this.stakes.see();
  }

  private async trap(action: TrapAction): Promise<void> {
    const process = this.instances.at(action.instance)?.process;
    if (!process || process.dead) return;
    this.tally.add(`${action.kind} ${action.trap.at === 'now' ? 'at any moment' : 'asked for'}`);
    if (action.trap.at !== 'now') return this.traps.set(process, action);
    if (action.kind === 'stop') return this.instances.stop(process, action.forMs);
    if (action.kind === 'cut') return this.database.cutOne(process);
    this.instances.end(process);
    await this.database.bury(process);
  }
}
