import { EnumType, MessageType, field, repeated } from './message.schema';

/** TIP-899: the key stands beside its signature, for none can be computed from it. */
export interface PostQuantumSignature {
  scheme: number;
  public_key: Buffer;
  signature: Buffer;
}
const SCHEME = new EnumType('PQScheme', { 0: 'UNKNOWN_PQ_SCHEME', 1: 'FN_DSA_512', 2: 'ML_DSA_44' });
export const POST_QUANTUM_SIGNATURE = new MessageType<PostQuantumSignature>('protocol.PQAuthSig', [
  field(1, 'scheme', SCHEME),
  field(2, 'public_key', 'bytes'),
  field(3, 'signature', 'bytes'),
]);

/** What a transaction may have beside its signed bytes, their signatures and results. */
export interface BesideMessage {
  pq_auth_sig: PostQuantumSignature[];
  hidden: Buffer;
}
export const BESIDE = new MessageType<BesideMessage>('protocol.Transaction', [
  repeated(6, 'pq_auth_sig', POST_QUANTUM_SIGNATURE),
  // No node knows it, and none shows it; one before 4.8.2 keeps it.
  field(99, 'hidden', 'bytes'),
]);
