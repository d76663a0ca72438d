import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../../config/configuration';
import { Clock } from '../../../common/clock';
import { describeError } from '../../../common/errors/describe-error';
import { JudgedKeys, LOST, UnjudgedKeyError } from '../../transactions/signing/judged-keys';
import { signerKeyId } from '../../transactions/signing/key-source';
import type { KeyRole } from '../../transactions/signing/wallet-role';
import { PoolWallets } from '../wallets/pool-wallets';
import { type KeyedWallet, keyOwner } from '../wallets/wallet-row';
import { DiagnoseKeys } from './diagnose-keys';
import type { Diagnosis } from './diagnosis';

const POWERFUL = 'too_powerful_key';
/** A key of the signer is refused for it: orders would be held for what no node takes. */
const MISSING = 'missing_permission';
/** No node shows the account's permissions, or it has none yet: nothing is known of the key. */
const UNKNOWN = new Set(['account_unread', 'no_account']);

/** The service does not start with such keys (`POWERFUL_KEYS=refuse`). One line for each of them, without any key. */
export class PowerfulKeyError extends Error {
  constructor(lines: readonly string[]) {
    super(`POWERFUL_KEYS=refuse, and:\n${lines.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'PowerfulKeyError';
  }
}

/** Whether each wallet's key may do only what it is here for: a thief of the key may do just as much. */
@Injectable()
export class KeyPower {
  private readonly logger = new Logger('Keys');
  /** Keys besides those of the wallets themselves. */
  private readonly others: (() => Promise<readonly KeyedWallet[]>)[] = [];
  /** By wallet and role of the key. */
  private readonly underWay = new Map<string, Promise<void>>();
  private lastMs: number;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly doctor: DiagnoseKeys,
    private readonly verdicts: JudgedKeys,
    private readonly wallets: PoolWallets,
    private readonly clock: Clock,
  ) {
    this.lastMs = clock.monotonicMs();
  }

  /** Has these judged at the start, and while such keys are refused, as the wallets' own are. */
  judgeToo(keys: () => Promise<readonly KeyedWallet[]>): void {
    this.others.push(keys);
  }

  /** Before anything is served. @throws PowerfulKeyError */
  async refuseIfAsked(): Promise<void> {
    if (!this.verdicts.areAsked) return;
    const lines = await this.find();
    if (lines.length > 0) throw new PowerfulKeyError(lines);
  }

  /** Fails no start: a node may be away, and the service can go on without it for a while. */
  async warnIfAsked(): Promise<void> {
    if (this.verdicts.areAsked) return;
    try {
      for (const line of await this.find()) this.logger.warn(line);
    } catch (error) {
      this.logger.warn(`The power of the keys is not known: ${describeError(error)}`);
    }
  }

  /** Those that need a verdict: new ones when they come, and all of them regularly, for the chain may have changed what they may do. */
  async watch(): Promise<void> {
    const isDue = this.clock.monotonicMs() - this.lastMs >= this.configuration.reconcileMs;
    if (isDue) this.lastMs = this.clock.monotonicMs();
    for (const wallet of await this.all()) {
      // The account's owner may have repaired the key's permission on the chain alone.
      const owner = keyOwner(wallet);
      if (this.verdicts.asks(owner) && (isDue || this.verdicts.faultOf(owner))) await this.judge(wallet);
    }
  }

  /** Its key may not sign anything new before it was judged. */
  isUnjudged(wallet: KeyedWallet): boolean {
    return this.verdicts.faultOf(keyOwner(wallet)) instanceof UnjudgedKeyError;
  }

  /** Before a key signs what is rare: its permission may have been widened since it was judged. */
  async judgeIfAsked(wallet: KeyedWallet): Promise<void> {
    if (this.verdicts.asks(keyOwner(wallet))) await this.judge(wallet);
  }

  /** While no node shows the account, what was known of the key stands. Concurrent callers share one answer. */
  judge(wallet: KeyedWallet): Promise<void> {
    const key = `${wallet.id} ${wallet.role}`;
    const judging = this.underWay.get(key) ?? this.tell(wallet).finally(() => this.underWay.delete(key));
    this.underWay.set(key, judging);
    return judging;
  }

  private async tell(wallet: KeyedWallet): Promise<void> {
    const { findings, isNews } = await this.ask(wallet);
    if (!isNews) return;
    const against = findings.find((found) => this.speaksAgainst(wallet, found));
    if (against) this.logger.error(`${lineOf(against, wallet.role)} Until then ${LOST[wallet.role]}.`);
    else {
      const again = wallet.role === 'care' ? 'its stake has care again' : 'it takes orders again';
      this.logger.warn(`wallet ${wallet.name}: nothing speaks against its key now: ${again}`);
    }
  }

  private async ask(wallet: KeyedWallet): Promise<{ findings: readonly Diagnosis[]; isNews: boolean }> {
    const { keyAddress, findings } = await this.doctor.diagnose(wallet);
    if (keyAddress === null || findings.some(({ kind }) => UNKNOWN.has(kind))) return { findings, isNews: false };
    const verdict = findings.find((found) => this.speaksAgainst(wallet, found))?.reason ?? null;
    return { findings, isNews: this.verdicts.judged(keyOwner(wallet), keyAddress, verdict) };
  }

  private speaksAgainst(wallet: KeyedWallet, { kind }: Diagnosis): boolean {
    if (kind === MISSING) return signerKeyId(wallet.key_source) !== null;
    return kind === POWERFUL && this.verdicts.areAsked;
  }

  private async all(): Promise<KeyedWallet[]> {
    const found: KeyedWallet[] = await this.wallets.list();
    for (const keys of this.others) found.push(...(await keys()));
    return found;
  }

  private async find(): Promise<string[]> {
    const lines: string[] = [];
    for (const wallet of await this.all()) {
      const { findings } = await this.ask(wallet);
      const told = findings.filter(({ kind }) => kind === POWERFUL || kind === 'account_unread');
      lines.push(...told.map((found) => lineOf(found, wallet.role)));
    }
    return lines;
  }
}

function lineOf({ subject, reason, next_step }: Diagnosis, role: KeyRole): string {
  return `${role === 'care' ? 'care of wallet' : 'wallet'} ${subject}: ${reason}. ${next_step}`;
}
