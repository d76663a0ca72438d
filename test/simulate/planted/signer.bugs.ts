import { bug, type Bug } from './patch';

const CONNECTION = 'chain/transactions/signer-process/signer-connection.ts';
const KEYS = 'chain/transactions/signer-process/signer-keys.ts';

/** Bugs about keys in a signer: of the service's side, and one of the signer's own. */
export const SIGNER_BUGS: readonly Bug[] = [
  bug(
    'signature-not-compared',
    'chain/transactions/signing/transaction-signer.ts',
    'if (signerOf(digest, signature) !== toHexAddress(address))',
    "if (signature === '')",
  ),
  bug(
    'late-answer-to-another',
    CONNECTION,
    'call.destroy(error);\n',
    '',
    {
      file: `src/${CONNECTION}`,
      from: 'private readonly kept: PlainAgent;',
      to: 'private readonly kept: PlainAgent;\n  private readonly asked: ((text: string) => void)[] = [];',
    },
    {
      file: `src/${CONNECTION}`,
      from: 'let [isBegun, isRead] = [false, false];',
      to: 'let [isBegun, isRead] = [false, false];\n      this.asked.push(resolve);',
    },
    {
      file: `src/${CONNECTION}`,
      from: 'if (response.statusCode === 200) resolve(text);',
      to: 'if (response.statusCode === 200) this.asked.shift()!(text);',
    },
  ),
  bug(
    'unsigned-waits-for-good',
    'chain/transactions/signer-process/signing-queue.ts',
    'for (const { reject } of batch) reject(failure);',
    '',
  ),
  bug(
    'refused-key-pauses-for-good',
    KEYS,
    'if (!pause || this.clock.monotonicMs() >= pause.untilMs) return null;',
    'if (!pause) return null;',
  ),
  bug(
    'key-without-its-verdict',
    'chain/transactions/signing/judged-keys.ts',
    'if (!this.asks(owner)) return;',
    'if (!this.areAsked) return;',
  ),
  {
    name: 'limits-forgotten-by-a-restart',
    patches: [
      {
        file: 'signer/src/signer.ts',
        from: 'const { key, txid, kind, amountSun, atMs } of journal.recent)',
        to: 'const { key, txid, kind, amountSun, atMs } of journal.recent.slice(0, 0))',
      },
    ],
  },
];
