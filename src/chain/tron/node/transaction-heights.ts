import { Injectable } from '@nestjs/common';
import { amountIn, notUnderstood } from './answer.reader';
import { ConfiguredNodes } from './configured-nodes';
import { NodeClient } from './node-client';
import { NodeUnavailableError } from './node-errors';
import { READ_TIMEOUT_MS } from './node-pool';

/** In which block nodes say that a transaction is: where to look for it, and nothing more. */
@Injectable()
export class TransactionHeights {
  constructor(
    private readonly client: NodeClient,
    private readonly nodes: ConfiguredNodes,
  ) {}

  /** What each node says, without repetitions; empty where those that answer know of none. @throws NodeUnavailableError when none answers */
  async of(txId: string): Promise<number[]> {
    const read = (info: Record<string, unknown>) => readHeight(info, txId);
    const ask = (url: string) =>
      this.client.ask('wallet', 'gettransactioninfobyid', { value: txId }, read, READ_TIMEOUT_MS, url);
    const said = await Promise.allSettled(this.nodes.urls('wallet').map(ask));
    const answers = said.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const [failed] = said.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    if (answers.length === 0) throw failed ?? new NodeUnavailableError('no node is configured');
    return [...new Set(answers.filter((height) => height !== null))];
  }
}

function readHeight(info: Record<string, unknown>, txId: string): number | null {
  if (Object.keys(info).length === 0) return null;
  if (info['id'] !== txId) throw notUnderstood('id');
  return Number(amountIn(info, 'blockNumber'));
}
