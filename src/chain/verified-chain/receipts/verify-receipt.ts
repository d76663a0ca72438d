import { DomainError } from '../../../common/errors/domain.error';
import { trxLiteral } from '../../../common/money/sun';
import { toBase58Address } from '../../tron/addresses';
import type { SignedHeader } from '../../proof/block-header';
import { PAIR_BYTES } from '../../proof/block-transactions';
import { readDelegation } from '../../proof/delegation-bytes';
import { neededWitnesses } from '../../proof/final-height';
import { type HeaderFields, readSignedHeader } from '../../proof/header-fields';
import { unverifiedScheme } from '../../proof/header-signature';
import type { Witness } from '../../proof/judge';
import { rootOfBranch, sha256 } from '../../proof/merkle-tree';
import type { Receipt } from './receipt';

type Stated = 'txid' | 'receiver_address' | 'stake' | 'block_number' | 'block_id' | 'block_time';

/**
 * Checks everything that a receipt holds, by itself and the given witnesses alone. Of several sets each signature must be of one of
 * them, and the witnesses of one must be enough: witnesses may have changed between the block and those built on it.
 * @returns how many witnesses have built on the block
 * @throws DomainError with what is wrong
 */
export function verifyReceipt(receipt: Receipt, sets: readonly (readonly Witness[])[]): number {
  const known = sets.map((set) => new Map(set.map(({ address, signing_address: signer }) => [address, signer])));
  const strange = receipt.witnesses.find(({ address, signing_address: signer }) => !isIn(known, address, signer));
  if (strange) throw new DomainError('receipt.other-witnesses', { address: toBase58Address(strange.address) });
  const block = linkedHeader(receipt.header, known);
  verifyTransaction(receipt, block);
  const above = following(receipt.following, block, known);
  const counts = known.map((set) => {
    const counted = above.filter(({ witness, signer }) => signer !== null && set.has(witness));
    const signed = new Set(counted.map(({ witness }) => witness)).size;
    return { signed, needed: neededWitnesses(set.size) };
  });
  const enough = counts.find(({ signed, needed }) => signed >= needed);
  if (!enough) throw new DomainError('receipt.too-few-witnesses', counts[0]!);
  return enough.signed;
}

/** Its bytes make the txid and lead to the block's root, and say what the receipt states. */
function verifyTransaction(receipt: Receipt, block: HeaderFields): void {
  const { transaction, branch } = receipt;
  const delegation = transaction.length === PAIR_BYTES ? null : readDelegation(transaction);
  if (!delegation) throw new DomainError('receipt.no-delegation');
  expectStated(receipt, 'txid', sha256(delegation.raw).toString('hex'));
  if (!rootOfBranch(sha256(transaction), branch).equals(block.root)) throw new DomainError('receipt.not-in-block');
  expectStated(receipt, 'receiver_address', toBase58Address(delegation.receiver));
  expectStated(receipt, 'stake', trxLiteral(delegation.stakeSun));
  expectStated(receipt, 'block_number', block.number);
  expectStated(receipt, 'block_id', block.id);
  expectStated(receipt, 'block_time', new Date(block.timeMs).toISOString());
}

function following(
  headers: readonly SignedHeader[],
  block: HeaderFields,
  known: readonly ReadonlyMap<string, string>[],
): HeaderFields[] {
  let parent = block;
  return headers.map((signed) => {
    const header = linkedHeader(signed, known);
    const follows =
      header.parentId === parent.id && header.number === parent.number + 1 && header.timeMs > parent.timeMs;
    if (!follows) throw new DomainError('receipt.not-linked', { block: parent.number + 1 });
    parent = header;
    return header;
  });
}

/** Signed by one of the witnesses, or in a way that is not verified here: then it counts for no witness, and only links the others. */
function linkedHeader(signed: SignedHeader, known: readonly ReadonlyMap<string, string>[]): HeaderFields {
  const header = readSignedHeader(signed);
  if (!header) throw new DomainError('receipt.no-header');
  if (unverifiedScheme(signed.signature) === null && !isIn(known, header.witness, header.signer))
    throw new DomainError('receipt.not-signed', { block: header.number });
  return header;
}

/** The heights of the headers whose signatures are of a scheme that this version does not verify. */
export function unverifiedBlocks({ header, following: above }: Receipt): number[] {
  const unverified = [header, ...above].filter(({ signature }) => unverifiedScheme(signature) !== null);
  return unverified.map((one) => readSignedHeader(one)!.number);
}

function isIn(known: readonly ReadonlyMap<string, string>[], address: string, signer: string | null): boolean {
  return signer !== null && known.some((set) => set.get(address) === signer);
}

function expectStated(receipt: Receipt, field: Stated, proved: string | number): void {
  const stated = receipt[field];
  if (stated !== proved)
    throw new DomainError('receipt.otherwise-proved', { field, stated: String(stated), proved: String(proved) });
}
