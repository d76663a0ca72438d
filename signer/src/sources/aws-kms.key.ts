import type { KMSClient } from '@aws-sdk/client-kms';
import { createPublicKey } from 'node:crypto';
import type { Source } from '../configuration/configuration';
import { completeSignature } from '../curve/signature';
import { type SigningKey, WrongSignatureError } from './signing.key';

type Settings = Extract<Source, { aws_kms: unknown }>['aws_kms'];

const REQUEST_MS = 4_000;

/**
 * A key in AWS KMS (ECC_SECG_P256K1). KMS gets the bytes themselves (RAW) and takes their SHA-256, which is the transaction's id. The
 * credentials come from where AWS's library looks for them. @throws Error
 */
export async function awsKmsKey({ key_id, region, endpoint }: Settings): Promise<SigningKey> {
  const { KMSClient, GetPublicKeyCommand, SignCommand } = await loadLibrary();
  const client: KMSClient = new KMSClient({
    region,
    ...(endpoint !== undefined && { endpoint }),
    maxAttempts: 2,
    requestHandler: { connectionTimeout: REQUEST_MS, requestTimeout: REQUEST_MS },
  });
  const found = await client.send(new GetPublicKeyCommand({ KeyId: key_id }));
  const { PublicKey, KeyUsage } = found;
  // The key's own name: an alias that is moved later would have another key sign, and each of its signatures refused.
  const KeyId = found.KeyId ?? key_id;
  if (KeyUsage !== 'SIGN_VERIFY' || !PublicKey) throw new Error(`source.aws_kms: the key is for ${KeyUsage}`);
  const publicKey = pointOf(PublicKey);
  return {
    publicKey,
    sign: async (rawData, digest) => {
      const { Signature } = await client.send(
        new SignCommand({ KeyId, Message: rawData, MessageType: 'RAW', SigningAlgorithm: 'ECDSA_SHA_256' }),
      );
      const signature = Signature && completeSignature(Signature, 'der', digest, publicKey);
      if (!signature) throw new WrongSignatureError();
      return signature;
    },
  };
}

async function loadLibrary() {
  try {
    return await import('@aws-sdk/client-kms');
  } catch (error) {
    throw new Error('source.aws_kms needs the package @aws-sdk/client-kms, which is not installed', { cause: error });
  }
}

/** 65 bytes of a SubjectPublicKeyInfo. */
function pointOf(info: Uint8Array): Buffer {
  const key = createPublicKey({ key: Buffer.from(info), format: 'der', type: 'spki' });
  const { crv, x, y } = key.export({ format: 'jwk' });
  if (crv !== 'secp256k1' || x === undefined || y === undefined)
    throw new Error(`source.aws_kms: the key is of ${crv ?? key.asymmetricKeyType}, and must be ECC_SECG_P256K1`);
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
}
