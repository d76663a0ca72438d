import type { ChainIdentityRepository, FinalBlock } from '../node/chain-identity.repository';
import type { HeaderChain } from '../proof/header-chain';

/** The database remembers a final block so often. */
const REMEMBERED_BLOCKS = 20;

/**
 * The final block that the database keeps for all instances. They replace it by newer ones alone, so that any other one there is an
 * operator's decision for a branch without it.
 */
export class RememberedFinal {
  /** The database has had one as high as this: a lower one is no older one of the same chain. */
  private number = -1;
  private atRefusal: FinalBlock | null = null;

  constructor(private readonly memory: ChainIdentityRepository) {}

  find(): Promise<FinalBlock | null> {
    return this.memory.findFinal();
  }

  /** Another branch is gone by from now on, perhaps a lower one. */
  forget(): void {
    this.number = -1;
  }

  /** Now and then, as the chain moves. False when an operator has accepted another branch. */
  async keep(chain: HeaderChain): Promise<boolean> {
    const final = chain.final!;
    if (final.number < this.number + REMEMBERED_BLOCKS) return true;
    const stored = await this.memory.findFinal();
    if (this.isReplaced(stored, chain)) return false;
    const isThere = stored !== null && stored.number >= final.number;
    if (isThere || (await this.memory.rememberFinal(final, stored))) this.number = final.number;
    return true;
  }

  /**
   * A branch that undoes this block is refused from now on.
   * @param chain what the block is of; null when a process that starts has it from the database
   * @returns false when an operator has accepted the branch before
   */
  async refuse(final: FinalBlock, chain: HeaderChain | null): Promise<boolean> {
    this.atRefusal = chain ? await this.seenRefusing(final, chain) : final;
    return this.atRefusal !== null;
  }

  /** An operator has put another final block in the place of the one that was there when the branch was refused. */
  async isAccepted(chain: HeaderChain | null): Promise<boolean> {
    const before = this.atRefusal;
    const now = await this.memory.findFinal();
    if (!now || now.id === before?.id) return false;
    // Another instance that does not see the branch goes on with this chain.
    return !(now.number > (before?.number ?? -1) && chain?.holds(now.number, now.id));
  }

  private async seenRefusing(final: FinalBlock, chain: HeaderChain): Promise<FinalBlock | null> {
    const stored = await this.memory.findFinal();
    if (this.isReplaced(stored, chain)) return null;
    return (await this.memory.rememberFinal(final, stored)) ? final : (stored ?? final);
  }

  private isReplaced(stored: FinalBlock | null, chain: HeaderChain): boolean {
    if (!stored || !chain.final || stored.number > chain.final.number) return false;
    if (stored.number < chain.floor) return stored.number < this.number;
    return !chain.holds(stored.number, stored.id);
  }
}
