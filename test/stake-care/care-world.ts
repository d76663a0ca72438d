import { writeFileSync } from 'node:fs';
import { SchedulerRegistry } from '@nestjs/schedule';
import { utils } from 'tronweb';
import { StakeAdminService } from '../../src/admin/stake-admin.service';
import type { Operator } from '../../src/audit-log/audit-log';
import { toHexAddress } from '../../src/chain/tron/addresses';
import { PERIOD_MS } from '../../src/stake-care/care-periods';
import type { CareSettings } from '../../src/stake-care/care.repository';
import type { OperationRow } from '../../src/stake-care/stake-operation';
import { OperationRepository } from '../../src/stake-care/operation.repository';
import { StakeCare } from '../../src/stake-care/stake-care';
import { OrderWorld, type WorldOptions } from '../support/order-world';
import { CARING_AND_UNFREEZING, LENDING, setActives } from '../support/restricted-key';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

export const ANN: Operator = { id: null, address: 'ann@here' };
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** With what it adds to the clock itself, besides hours. */
const LONGEST_TEST_MS = 10 * 60_000;

interface Shown {
  readonly votes?: { readonly vote_address: string; readonly vote_count: number }[];
  readonly balance?: number;
  readonly frozenV2?: { readonly type?: string; readonly amount?: number }[];
  readonly unfrozenV2?: { readonly unfreeze_amount: number; readonly unfreeze_expire_time: number }[];
}

/** A period that ends in the midst of a test has care vote again: one that is about to end is waited out by the chain's clock. */
async function leaveEndOfPeriod(world: OrderWorld): Promise<void> {
  const left = PERIOD_MS - (Date.now() % PERIOD_MS);
  if (left < LONGEST_TEST_MS) await world.control('clock', { ms: left });
}

/** A world whose pool account has a key for its care in permission 3; the care has its turns when a test says so. */
export class CareWorld {
  private readonly key = utils.accounts.generateAccount();
  private witnessesOf: string[] = [];

  private constructor(readonly world: OrderWorld) {}

  static async open(options: WorldOptions = {}): Promise<CareWorld> {
    const world = await OrderWorld.open({ block: 'manual', solidLag: 4, ...options });
    const care = new CareWorld(world);
    care.stopTurns(world.app);
    await leaveEndOfPeriod(world);
    await world.control('block', { count: 6 });
    await care.allow(CARING_AND_UNFREEZING);
    writeFileSync(care.keyFile, care.privateKey);
    const { witnesses } = (await world.node('wallet/listwitnesses', { visible: true })) as {
      witnesses: { address: string }[];
    };
    care.witnessesOf = witnesses.map(({ address }) => address);
    await care.blocks(6);
    return care;
  }

  get keyFile(): string {
    return this.world.keyFile('care');
  }

  get privateKey(): string {
    return this.key.privateKey.toLowerCase();
  }

  /** base58check */
  get witnesses(): readonly string[] {
    return this.witnessesOf;
  }

  get address(): string {
    return this.world.chain.accounts.find(({ role }) => role === 'pool')!.address;
  }

  /** What permission 3, the care's, allows. */
  async allow(operations: string): Promise<void> {
    const lending = utils.accounts.generateAccount().address.base58;
    await setActives(this.world, [
      { operations: LENDING, key: lending },
      { operations, key: this.key.address.base58 },
    ]);
  }

  stopTurns({ app }: TestApp): void {
    void app.get(SchedulerRegistry).getCronJob('stake-care').stop();
  }

  async care(change: Partial<CareSettings> = {}): Promise<void> {
    const [first, second] = this.witnesses;
    const votes = [
      { witness: first!, weight: 60 },
      { witness: second!, weight: 40 },
    ];
    const settings = { keySource: `file:${this.keyFile}`, permissionId: 3, votes, ...change };
    await this.admin.setCare(ANN, 'pool', settings);
  }

  get admin(): StakeAdminService {
    return this.world.app.app.get(StakeAdminService);
  }

  run({ app }: TestApp = this.world.app): Promise<void> {
    return app.get(StakeCare).runNow();
  }

  /** Looks at what is due alone, as the schedule does. */
  runDue(): Promise<void> {
    return this.world.app.app.get(StakeCare).run();
  }

  /** Blocks that the follower has seen. */
  async blocks(count: number): Promise<void> {
    await this.world.control('block', { count });
  }

  /** Until nothing is under way; what is refused expires first. */
  async settle(): Promise<void> {
    if ((await this.states()).some((state) => state.endsWith(' refused'))) await this.later(70_000);
    await until('every operation over', async () => {
      await this.blocks(1);
      return (await this.operations()).every(({ state }) => state === 'final' || state === 'failed');
    });
  }

  /** So much later, in blocks of enough witnesses. */
  async later(ms: number): Promise<void> {
    await this.world.control('clock', { ms });
    await this.blocks(8);
    const { block_header: head } = (await this.world.node('wallet/getblock', { detail: false })) as {
      block_header: { raw_data: { number: number } };
    };
    await until('the follower has seen it', async () => {
      const [row] = await this.world.query('select final_number::integer as number from chain_identity');
      return Number(row?.['number']) >= head.raw_data.number - 6;
    });
  }

  /** The oldest first. */
  async operations(): Promise<OperationRow[]> {
    return (await this.world.app.app.get(OperationRepository).list(null, null)).toReversed();
  }

  /** As kind and state. */
  async states(): Promise<string[]> {
    return (await this.operations()).map(({ kind, state }) => `${kind} ${state}`);
  }

  /** What the reconciler finds, by readings of now, besides the permissions that this world has set. */
  async unexplained(): Promise<string[]> {
    await this.world.tryToReadWallets();
    const { findings } = await this.world.audit();
    return findings
      .filter(({ parameters }) => parameters['act'] !== 'permission_change')
      .map(({ code, subject, parameters }) => `${code} ${subject} ${JSON.stringify(parameters)}`);
  }

  account(): Promise<Shown> {
    return this.world.node('walletsolidity/getaccount', { address: toHexAddress(this.address) });
  }

  async votes(): Promise<number[]> {
    return ((await this.account()).votes ?? []).map(({ vote_count: count }) => count);
  }

  async power(): Promise<number> {
    const shown = await this.world.node('wallet/getaccountresource', { address: toHexAddress(this.address) });
    return Number(shown['tronPowerLimit']);
  }
}
