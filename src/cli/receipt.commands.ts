import { decodeText } from '../../config/text-file';
import { readReceipt, readWitnessFile } from '../chain/verified-chain/receipts/receipt';
import { unverifiedBlocks, verifyReceipt } from '../chain/verified-chain/receipts/verify-receipt';
import { DomainError } from '../common/errors/domain.error';
import { describeFailure, readWhole, STANDARD_STREAM } from '../common/standard-streams';
import { CliCommand, Command, type CommandEffect } from './cli-command';
import { parseFileOrStream } from './option-parsers';
import { type Document, type OutputOptions, printDocument } from './output';
import { UsageError } from './usage.error';

interface Options extends OutputOptions {
  readonly witnesses: readonly string[];
}

@Command({
  name: 'receipt:verify',
  argument: { name: '<file>' },
  description: 'check a receipt without database and node; exit with 1 if it does not prove what it states',
  options: [
    {
      flags: '--witnesses <file>',
      description:
        'file of the active witnesses whose signatures count (witnesses:export writes it); give both files if the witnesses changed between the headers',
      read: (file, before: readonly string[] = []) => [...before, file],
      required: true,
    },
  ],
})
export class ReceiptVerifyCommand extends CliCommand {
  static override readonly effect: CommandEffect = 'offline';

  override check([file]: string[], { witnesses }: Options): void {
    if ([file, ...witnesses].filter((name) => name === STANDARD_STREAM).length > 1)
      throw new UsageError('give - once: standard input has one file');
  }

  async run([file]: string[], options: Options): Promise<void> {
    try {
      printDocument(await verify(file!, options.witnesses), options);
    } catch (error) {
      if (options.json && error instanceof DomainError) {
        printDocument({ ok: false, code: error.code, reason: error.message }, options);
      }
      throw error;
    }
  }
}

async function verify(file: string, witnessFiles: readonly string[]): Promise<Document> {
  const sets = await Promise.all(witnessFiles.map(async (one) => readWitnessFile(await textOf(one))));
  const receipt = readReceipt(await textOf(file));
  const witnesses = verifyReceipt(receipt, sets);
  const { txid, receiver_address, stake, block_number, block_time } = receipt;
  const proved = { ok: true, txid, receiver_address, stake: JSON.rawJSON(stake), block_number, block_time, witnesses };
  const unverified = unverifiedBlocks(receipt);
  return unverified.length > 0 ? { ...proved, unverified_signatures_of: unverified } : proved;
}

async function textOf(name: string): Promise<string> {
  const file = parseFileOrStream(name);
  const bytes = await readWhole(file).catch((error: unknown) => {
    throw new DomainError('receipt.file-unreadable', { file: describeFailure(file, 'input', error).file });
  });
  return decodeText(bytes);
}
