import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { amountIn, notUnderstood, recordIn } from './answer.reader';
import { ConfiguredNodes } from './configured-nodes';
import { NodeClient } from './node-client';

/** A node that has not seen the block yet is asked again. */
const ASK_AGAIN_MS = 200;

/**
 * Whether a transfer created its receiver's account. No block proves that: the fee for it stands in the transaction's information alone, so
 * it counts that there was none only where every configured node says so.
 */
@Injectable()
export class AccountCreation {
  constructor(
    private readonly client: NodeClient,
    private readonly nodes: ConfiguredNodes,
    private readonly clock: Clock,
  ) {}

  /**
   * True where no node shows such a fee, all of them asked, until `ended` those that are not as far as its block yet. False as soon as one
   * shows it, or cannot say.
   */
  async wasThereBefore(txId: string, ended: AbortSignal): Promise<boolean> {
    const urls = this.nodes.allUrls('wallet');
    const shown = urls.map(async (url) => {
      if ((await this.createdBy(txId, url, ended)) !== false) throw notUnderstood('fee');
    });
    return Promise.all(shown).then(
      () => true,
      () => false,
    );
  }

  /** Null when it has not said so in time. @throws NodeUnavailableError */
  private async createdBy(txId: string, url: string, ended: AbortSignal): Promise<boolean | null> {
    const read = (info: Record<string, unknown>) => readCreated(info, txId);
    let created: boolean | null = null;
    while (created === null && !ended.aborted) {
      created = await this.client.consult('wallet', 'gettransactioninfobyid', { value: txId }, read, url);
      if (created === null) await this.clock.sleep(ASK_AGAIN_MS, ended);
    }
    return created;
  }
}

/** `net_fee` is the part of a fee that the bytes cost; besides it a transfer pays only for a new account. Null: in no block yet. */
function readCreated(info: Record<string, unknown>, txId: string): boolean | null {
  if (Object.keys(info).length === 0) return null;
  if (info['id'] !== txId) throw notUnderstood('id');
  return amountIn(info, 'fee') > amountIn(recordIn(info, 'receipt'), 'net_fee');
}
