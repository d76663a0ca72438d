import { SharedResults } from '../../../common/concurrency/shared-results';
import type { ChainReads, ReceiverState } from '../node/chain-reads';
import { sizeTransfer, type TokenTransfer, type TransferSize } from './transfer-size';

/** More than callers can ask for between two blocks; a bound for a node that stands still. */
const MOST_RESULTS = 10_000;

export interface AccountState {
  readonly state: ReceiverState;
  /** Units that it could use now; below 0 by what it has used above its present limit. */
  readonly energyLeft: bigint;
}

/** What nodes show of the state at one head block: each thing is read once, for all who ask. Every method throws NodeUnavailableError. */
export class HeadState {
  private readonly results = new SharedResults(MOST_RESULTS);

  constructor(
    readonly blockId: string,
    private readonly reads: ChainReads,
  ) {}

  account(address: string): Promise<AccountState> {
    return this.results.once(`account ${address}`, async () => {
      const [state, energyLeft] = await Promise.all([
        this.reads.receiverState(address),
        this.reads.energyLeft(address),
      ]);
      return { state, energyLeft };
    });
  }

  /** Sun burned for a unit of energy that an account does not have. */
  energyPriceSun(): Promise<bigint> {
    return this.results.once('energy price', () => this.reads.energyPriceSun());
  }

  /** The next call costs no node anything. */
  hasSizeOf(transfer: TokenTransfer): boolean {
    return this.results.has(keyOf(transfer));
  }

  sizeOf(transfer: TokenTransfer): Promise<TransferSize> {
    return this.results.once(keyOf(transfer), () => sizeTransfer(this.reads, transfer));
  }
}

function keyOf({ sender, recipient, token, value }: TokenTransfer): string {
  return `transfer ${sender} ${recipient} ${token} ${value}`;
}
