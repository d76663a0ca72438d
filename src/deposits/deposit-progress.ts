import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { FinalFeed } from '../chain/observer/final-feed';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { SCANNER } from './scanner-name';

/** Two minutes of blocks: fewer are read with the next turns. */
const BEHIND_BLOCKS = 40;
const STANDS_MS = 300_000;

/** How far the scanner is. */
@Injectable()
export class DepositProgress {
  constructor(
    private readonly feed: FinalFeed,
    private readonly blocks: ReferenceBlocks,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  get isOn(): boolean {
    return this.configuration.deposits !== null;
  }

  /** How many final blocks were not looked through; null while that is not known. */
  async blocksBehind(): Promise<number | null> {
    const final = this.blocks.lastFinal();
    const place = await this.feed.placeOf(SCANNER);
    return final && place !== null ? Math.max(0, final.number - place) : null;
  }

  /**
   * A scanner that is behind and reads nothing: no node shows the next block in full, or its deposits cannot be written. Null while it reads.
   * @throws NodeUnavailableError
   */
  async standing(): Promise<{ behind: number; number: number; since: string } | null> {
    const place = this.isOn ? await this.feed.standing(SCANNER, STANDS_MS) : null;
    if (!place) return null;
    const behind = (await this.blocks.final()).number - place.number;
    return behind > BEHIND_BLOCKS ? { ...place, behind } : null;
  }

  /** Whether what came in up to now is credited: not while blocks of a pause are being read. */
  async isReady(): Promise<boolean> {
    return ((await this.blocksBehind()) ?? Infinity) <= BEHIND_BLOCKS;
  }
}
