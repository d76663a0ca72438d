import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../../config/configuration';
import { Clock } from '../../../common/clock';
import { describeError } from '../../../common/errors/describe-error';
import type { KeyOwner } from '../signing/key-owner';
import type { SigningKeyError } from '../signing/signing-key.error';
import { readHealth, type SignerKeyState, type SignerResult } from './signer-answers';
import { NoSignerAnswerError, SignerConnection } from './signer-connection';
import { SignerUnavailableError } from './signer-unavailable.error';
import { SigningQueue } from './signing-queue';

/** A device that hangs has 5 seconds in the signer. */
const HEALTH_TIMEOUT_MS = 7_000;
/** No start, and no command, waits longer for a signer that hangs. */
const FIRST_LOOK_MS = 3_000;
const LOOK_AGAIN_MS = 10_000;
const LOOK_AGAIN_AT_FAULTY_MS = 1_000;
/** So long a key is asked for nothing new after a refusal: other wallets take the orders meanwhile. */
const PAUSE_MS = 10_000;

type Pause = { readonly untilMs: number; readonly reason: string };

/** The keys that lie in the signer's process, as it was last seen, and what it signs with them. */
@Injectable()
export class SignerKeys implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Signer');
  private readonly connection: SignerConnection | null;
  private readonly queue: SigningQueue | null;
  private readonly ended = new AbortController();
  private readonly pauses = new Map<string, Pause>();
  private keys: ReadonlyMap<string, SignerKeyState> = new Map();
  /** Why it cannot be asked for anything, or null. */
  private fault: string | null = 'the signer has not answered yet';
  private looking: Promise<void> | null = null;
  private wake = new AbortController();

  constructor(
    @Inject(CONFIGURATION) { signer: place }: Pick<Configuration, 'signer'>,
    private readonly clock: Clock,
  ) {
    this.connection = place && new SignerConnection(place);
    this.queue = this.connection && new SigningQueue(this.connection);
    if (!place) this.fault = 'SIGNER_URL is not set';
  }

  /** Goes on without a signer that is away: wallets with keys of this process take orders meanwhile. */
  async onModuleInit(): Promise<void> {
    if (!this.connection) return;
    await this.clock.waitAtMost(FIRST_LOOK_MS, this.look());
    void this.watch();
  }

  onModuleDestroy(): void {
    this.ended.abort();
    this.wake.abort();
    this.connection?.close();
  }

  /** Whose signature it is, the caller looks at. @throws SigningKeyError */
  async sign(owner: KeyOwner, id: string, rawData: Buffer, takesBack: boolean): Promise<string> {
    this.keyAddress(owner, id);
    const result = await this.ask(owner, id, rawData);
    if (result.kind === 'signed') return result.signature;
    const reason = `${result.code}: ${result.message}`;
    // At its limit a key may still sign for smaller orders.
    if (!takesBack && result.code !== 'limit_reached') this.pause(id, reason);
    throw unavailable(owner, id, reason);
  }

  /** The signer was started again with another key, perhaps. */
  wrongSignature(owner: KeyOwner, id: string, address: string): SigningKeyError {
    this.lookSoon();
    return unavailable(owner, id, `it answered with no signature of ${address} for these bytes`);
  }

  /** @throws SigningKeyError */
  keyAddress(owner: KeyOwner, id: string): string {
    if (this.fault !== null) throw unavailable(owner, id, this.fault);
    const state = this.keys.get(id);
    if (!state) throw unavailable(owner, id, 'the signer has no key of this id');
    if (state.kind === 'faulty') throw unavailable(owner, id, state.reason);
    const { address } = state;
    if (owner.permissionId === 0 && address !== owner.address)
      throw unavailable(owner, id, `it belongs to ${address}, not to ${owner.address}`);
    return address;
  }

  pauseOf(owner: KeyOwner, id: string): SigningKeyError | null {
    const pause = this.pauses.get(id);
    if (!pause || this.clock.monotonicMs() >= pause.untilMs) return null;
    return unavailable(owner, id, pause.reason);
  }

  /** Those that look at the same moment share the answer. Never throws. */
  look(): Promise<void> {
    this.looking ??= this.lookNow().finally(() => (this.looking = null));
    return this.looking;
  }

  private lookSoon(): void {
    this.wake.abort();
  }

  private async ask({ name }: KeyOwner, id: string, rawData: Buffer): Promise<SignerResult> {
    try {
      return await this.queue!.sign(id, rawData.toString('hex'));
    } catch (error) {
      const reason = describeError(error);
      if (error instanceof NoSignerAnswerError && error.isTimeout) this.pause(id, reason);
      this.lookSoon();
      throw new SignerUnavailableError(`wallet ${name}: ${reason}`);
    }
  }

  private pause(id: string, reason: string): void {
    this.pauses.set(id, { untilMs: this.clock.monotonicMs() + PAUSE_MS, reason });
  }

  private async watch(): Promise<void> {
    while (!this.ended.signal.aborted) {
      await this.clock.sleep(this.isWell() ? LOOK_AGAIN_MS : LOOK_AGAIN_AT_FAULTY_MS, this.wake.signal);
      if (this.ended.signal.aborted) return;
      this.wake = new AbortController();
      await this.look();
    }
  }

  private isWell(): boolean {
    return this.fault === null && [...this.keys.values()].every(({ kind }) => kind === 'good');
  }

  private async lookNow(): Promise<void> {
    if (!this.connection) return;
    const before = this.fault;
    try {
      const asked = { path: '/v1/health', timeoutMs: HEALTH_TIMEOUT_MS, alone: true } as const;
      this.keys = readHealth(await this.connection.ask(asked));
      this.fault = null;
      if (before !== null) this.logger.log(`The signer answers, with ${this.keys.size} keys`);
    } catch (error) {
      this.fault = describeError(error);
      if (before !== this.fault) this.logger.error(`Out of reach: ${this.fault}`);
    }
  }
}

function unavailable({ name }: KeyOwner, id: string, reason: string): SignerUnavailableError {
  return new SignerUnavailableError(`wallet ${name}: the signer's key ${id} signs nothing: ${reason}`);
}
