import { toBase58Address } from '../../src/chain/tron/addresses';
import { readBlock } from '../../src/chain/tron/node/block-answer';
import { headersBuiltOn } from '../../src/chain/proof/headers-built-on';
import { SignatureJudge, type Witness } from '../../src/chain/proof/judge';
import { receiptDocument } from '../../src/chain/verified-chain/receipts/receipt-document';
import { recordedBlocks, recordedWitnesses } from './recorded-blocks';

interface Delegation {
  readonly type: string;
  readonly parameter: { readonly value: { readonly receiver_address: string; readonly balance: number } };
}

export function recordedSet(): Witness[] {
  return recordedWitnesses().map((address) => ({ address, signing_address: address }));
}

/** The routes' answers for every recorded delegation on which enough recorded blocks were built, each with the height of its block. */
export function recordedReceipts(file = 'blocks.jsonl', set = recordedSet()): { number: number; text: string }[] {
  const shown = recordedBlocks(file).map((json) => ({
    json,
    ...readBlock(json as unknown as Record<string, unknown>),
  }));
  const headers = new Map(shown.map(({ header }) => [header.number, header]));
  const judge = new SignatureJudge(set);
  return shown.flatMap(({ json, header, body }) => {
    const above = headersBuiltOn(header, (number) => headers.get(number), judge);
    if (!above) return [];
    return (json.transactions ?? []).flatMap(({ txID, raw_data_hex: hex, ...transaction }) => {
      const [contract] = (transaction as unknown as { raw_data: { contract: [Delegation] } }).raw_data.contract;
      if (contract.type !== 'DelegateResourceContract') return [];
      const { receiver_address: receiver, balance } = contract.parameter.value;
      const data = receiptDocument({
        ...body!.transactions!.inclusionOf(txID)!,
        txId: txID,
        receiver: toBase58Address(receiver),
        stakeSun: BigInt(balance),
        raw: Buffer.from(hex, 'hex'),
        block: header,
        header: header.signed!,
        following: above.map(({ signed }) => signed!),
        witnesses: set,
      });
      return [{ number: header.number, text: JSON.stringify({ success: true, data }) }];
    });
  });
}
