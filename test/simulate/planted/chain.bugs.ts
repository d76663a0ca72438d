import { bug, type Bug } from './patch';

const SEND = 'delegation/placing/send-delegation.ts';
const FINAL = 'chain/observer/final-blocks.ts';
const RECLAIM = 'delegation/reclaim/sign-reclaim.ts';

/** Bugs about what is sent, what a block proves, and what is taken back. */
export const CHAIN_BUGS: readonly Bug[] = [
  bug(
    'accounts-without-a-bound',
    'chain/tron/node/answer-bounds.ts',
    'const ACCOUNT: AnswerBound = { bytes: 4 * MB, parts: 300_000 };',
    'const ACCOUNT: AnswerBound = { bytes: Infinity, parts: Infinity };',
  ),
  bug(
    'inflated-without-a-bound',
    'chain/tron/node/node-http.ts',
    'scan.take(chunk);\n        chunks.push(chunk);',
    'if (!zipped) scan.take(chunk);\n        chunks.push(chunk);',
  ),
  bug(
    'delegation-sent-before-its-commit',
    'delegation/placing/activate-receiver.ts',
    'const isSaved = await',
    'await this.outbox.broadcast(transaction.signed);\n    const isSaved = await',
  ),
  bug(
    'reclaim-sent-before-its-commit',
    RECLAIM,
    'await this.outbox.save(tx, { kind: RECLAIM',
    'await this.outbox.broadcast(signed);\n      await this.outbox.save(tx, { kind: RECLAIM',
  ),
  bug(
    'commit-unknown-taken-as-committed',
    'delegation/placing/create-order.ts',
    'error instanceof CommitUnknownError && (await this.isWritten(order.id))',
    'error instanceof CommitUnknownError',
  ),
  bug(
    'dup-taken-as-included',
    SEND,
    '// Recorded with the answer, in one commit.',
    "if (outcome.code === 'DUP_TRANSACTION_ERROR') return { kind: 'included', sent };",
  ),
  bug(
    'accepted-taken-as-included',
    SEND,
    "if (outcome.kind === 'accepted' || (await this.isTaken(orderId))) return { kind: 'accepted' };",
    "if (outcome.kind === 'accepted' || (await this.isTaken(orderId))) return { kind: 'included' };",
  ),
  bug(
    'no-end-of-a-claim',
    SEND,
    "if (startedMs > claimEndsMs) return failed('OUTCOME_UNKNOWN', 'the claim ran out before it was sent');",
    '',
    { file: `src/${SEND}`, from: 'answerTimeoutMs, claimEndsMs)', to: 'answerTimeoutMs, Infinity)' },
  ),
  bug(
    'resent-behind-a-failure',
    'chain/transactions/outbox/chain-transaction.statements.ts',
    "where d.id = t.subject_id and d.answer = 'success'",
    'where d.id = t.subject_id',
  ),
  bug(
    'expiry-judged-by-the-head',
    FINAL,
    'findExpired(timeMs, this.start)',
    'findExpired(this.chain!.head.timeMs, this.start)',
  ),
  bug(
    'stopped-by-one-block',
    'chain/verified-chain/block-bodies.ts',
    'if (faults.size === urls.length && !(await this.reads.isAnyThere()))',
    'if (faults.size === urls.length)',
  ),
  bug(
    'body-believed-under-the-id-as-said',
    'chain/tron/node/block-answer.ts',
    'if (believe) return { ...header, signer: null, signed: null };',
    'if (believe || unknown.length > 0) return { ...header, signer: null, signed: null };',
    {
      file: 'src/chain/tron/node/block-answer.ts',
      from: 'if (!believe && unknown.length > 0) return { unverifiable: unverifiable(unknown) };',
      to: '',
    },
    {
      file: 'src/chain/verified-chain/block-bodies.ts',
      from: 'transactions === null ? held.signed === null : transactions.root === held.root',
      to: 'transactions !== null || held.signed === null',
    },
  ),
  bug(
    'receiver-by-one-word',
    'chain/tron/node/chain-reads.ts',
    "if (first.value === 'active') return 'active';",
    'if (first.url) return first.value;',
  ),
  bug(
    'little-left-by-one-word',
    'chain/pool/wallets/wallet-stake.ts',
    'isDoubtful(first, wallet) ? await',
    'isDoubtful(first, wallet) && !first ? await',
  ),
  bug(
    'solid-block-of-no-chain',
    'chain/pool/wallets/solid-block.ts',
    'const headers = await this.headersUpTo(url, number);',
    'if (number >= 0) return;\n    const headers = await this.headersUpTo(url, number);',
  ),
  bug(
    'more-lent-than-the-stake',
    'chain/pool/wallets/wallet-stake.ts',
    'maximumSun < unlentSun ? maximumSun : unlentSun',
    'maximumSun',
  ),
  bug(
    'shortage-by-one-word',
    'delegation/reclaim/shortage-proof.ts',
    'if (looked === null) return null;',
    'if (looked === null || walletId) return { takenBy: [] };',
    {
      file: 'src/delegation/reclaim/delegated-stake.verifier.ts',
      from: 'const isAllThere = () => all.length > 0 && all.reduce(largerInOlder).sun >= order.stake_sun;',
      to: 'const isAllThere = () => all.length > 0;',
    },
  ),
  bug(
    'shortage-hidden-by-another-refusal',
    'chain/tron/node/broadcast-outcome.ts',
    "kind === 'accepted' || (kind === 'unknown' && index < first)",
    "kind !== 'refused' || index !== first",
  ),
  bug(
    'included-on-a-doomed-branch',
    'chain/verified-chain/finality-watch.ts',
    'return this.missingMakers(chain) ?? this.stalled(chain, 1);',
    'return this.missingMakers(chain) && null;',
  ),
  bug(
    'orders-begun-in-a-stall',
    'chain/verified-chain/reference-blocks.ts',
    'if (problem !== null) throw new NodeUnavailableError(problem);',
    '',
  ),
  bug('blocks-skipped-behind-a-pause', FINAL, 'Math.max(floor, Math.min(lowest, final.number))', 'final.number', {
    file: `src/${FINAL}`,
    from: 'findExpired(timeMs, this.start)',
    to: 'findExpired(timeMs, 0)',
  }),
  bug(
    'final-before-its-witnesses',
    'chain/proof/final-height.ts',
    'Math.max(0, solid - BEHIND_SOLID)',
    'Math.max(0, ...newestHeights)',
  ),
  bug(
    'undelegate-the-sum',
    RECLAIM,
    'stakeOf(order.receiver, stakeSun)',
    'stakeOf(order.receiver, stakeSun + (await this.reclaims.readStakeBetween(order)).lent_by_others_sun)',
  ),
  bug(
    'capped-reclaim-without-its-lock',
    'delegation/reclaim/delegated-stake.verifier.ts',
    'await this.reclaims.lockStakeBetween(tx, order);',
    'if (order.id) return true;',
  ),
  bug('reclaim-too-early', 'delegation/settlement/settle-order.ts', 'blockMs + this.reclaimAfterMs(order)', 'blockMs'),
  bug(
    'reclaim-by-its-own-clock',
    'delegation/reclaim/reclaim.sweeper.ts',
    'const timeMs = await this.referenceBlocks.headTimeMs();',
    'const timeMs = Date.now();',
  ),
  bug(
    'reserved-stake-forgotten',
    'delegation/placing/hold-and-take.statements.ts',
    'set reserved_sun = wallet.reserved_sun + taken.stake_sun,',
    'set reserved_sun = wallet.reserved_sun,',
  ),
  // The token alone is not missed: that an answer is given once stands behind it, and each is enough.
  bug('no-fencing-token', 'delegation/order.statements.ts', "and d.answer = 'none' and d.epoch = o.epoch", ''),
  bug(
    'compared-without-what-is-under-way',
    'reconciliation/chain/delegated-resources.ts',
    'filter (where not o.back), 0)::bigint as most_sun',
    'filter (where not o.back and o.landed), 0)::bigint as most_sun',
  ),
  bug(
    'shortage-not-found',
    'reconciliation/checks/order.checks.ts',
    'where d.id = any($1::uuid[]) and d.shortage_sun > 0',
    'where d.id = any($1::uuid[]) and d.shortage_sun > 0 and false',
  ),
  bug(
    'abandoned-although-signed',
    'delegation/order.statements.ts',
    "where d.state = 'activating' and d.claimed_until is not null",
    "where d.state in ('activating', 'pending') and d.claimed_until is not null",
  ),
];
