import { reasonOf } from '../../refusal';
import type { FromToken, TokenRequest, ToToken } from './messages';
import { openToken, RefusedPinError, type Token } from './token';

/**
 * The process of one token. Every call of a PKCS#11 module takes as long as its token does: here it keeps no key of another source waiting,
 * the signer can end it, and a module that crashes leaves the signer as it is.
 */
let token: Promise<Token> | undefined;
let refusesPin = false;

async function resultOf(request: TokenRequest): Promise<Buffer> {
  if (refusesPin) throw new RefusedPinError('the token refuses the PIN');
  const opened = await token!;
  const { label } = request;
  return request.digest === null
    ? opened.open(label)
    : opened.sign(label, Buffer.from(request.digest), Buffer.from(request.publicKey));
}

async function answer(id: number, request: TokenRequest): Promise<FromToken> {
  try {
    return { id, bytes: await resultOf(request) };
  } catch (error) {
    refusesPin ||= error instanceof RefusedPinError;
    return { id, error: reasonOf(error), refusesPin };
  }
}

process.on('message', (message: ToToken) => {
  if ('settings' in message) {
    token = openToken(message.settings);
    // The requests say why.
    token.catch(() => undefined);
    return;
  }
  void answer(message.id, message.request).then((said) => process.send!(said));
});
process.on('disconnect', () => process.exit());
// Terminals and systemd give each process of the signer its signal. What is under way is answered first: the signer ends this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
