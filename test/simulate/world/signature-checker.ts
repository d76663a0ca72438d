import type { Client } from 'pg';
import { addressOfKey } from '../../../local-chain/src/signing/secp256k1';
import { signerOf } from '../../../src/chain/proof/witness-signature';
import type { HeldKey, LoggedSignature } from '../network/signer-server';

interface Row {
  readonly tx_id: string;
  readonly purpose: string;
  /** Null once a block has it. */
  readonly signature: string | null;
  readonly key: string | null;
}

const SIGNED = `
  select t.tx_id, t.purpose, encode(t.signature, 'hex') as signature,
         case when t.subject_kind = 'order' then w.key_source else c.key_source end as key
    from chain_transactions t join pool_wallets w on w.id = t.wallet_id left join stake_care c on c.wallet_id = w.id
   order by t.id`;

/** Reclaims need no verdict on the key: one by another key that the signer was started with dies, and the next one is the wallet's own. */
const WITHOUT_VERDICT = 'reclaim';

/** What was written to be sent by a key of the signer has a signature of that key, and a line in the signer's log. */
export async function checkSignatures(
  database: Client,
  held: readonly HeldKey[],
  /** What the signer had for a while in the place of these, by id. */
  others: readonly HeldKey[],
  log: readonly LoggedSignature[],
): Promise<string[]> {
  const { rows } = await database.query<Row>(SIGNED);
  const logged = new Set(log.map(({ key, txid }) => `${key} ${txid}`));
  const [addresses, otherAddresses] = [held, others].map(
    (keys) => new Map(keys.map(({ id, privateKey }) => [`signer:${id}`, addressOfKey(privateKey).toString('hex')])),
  );
  return rows.flatMap(({ tx_id: txId, purpose, signature, key }) => {
    const address = addresses!.get(key ?? '');
    if (address === undefined) return [];
    if (!logged.has(`${key!.replace('signer:', '')} ${txId}`))
      return [`the ${purpose} ${txId} is not in the log of the signer`];
    const by = signature === null ? address : signerOf(Buffer.from(txId, 'hex'), signature);
    if (by === address || (purpose === WITHOUT_VERDICT && by === otherAddresses!.get(key!))) return [];
    return [`the ${purpose} ${txId} was written with a signature of ${by}, not of its wallet's key`];
  });
}
