import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';
import { Shutdown } from '../../common/shutdown';
import { ArchiveRepository } from './archive.repository';

/** Orders of one transaction: their rows are locked for a few milliseconds. */
const BATCH = 200;
/** So many a run: a first run over years of orders leaves room for those who order. */
const BATCHES = 50;

/** Moves old orders that are over to the archive, where look-up and audit still find them. Instances share the work: each takes rows that no other has locked. */
@Injectable()
export class OrderArchiver {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly archive: ArchiveRepository,
    private readonly shutdown: Shutdown,
  ) {}

  /** The number of orders moved. */
  async run(): Promise<number> {
    const { retainMs } = this.configuration.orders;
    if (retainMs === null) return 0;
    let moved = 0;
    for (let batch = 0; batch < BATCHES && !this.shutdown.signal.aborted; batch++) {
      const count = await this.archive.moveOld(retainMs, BATCH);
      moved += count;
      if (count < BATCH) break;
    }
    return moved;
  }
}
