import type { End, OrderRow } from './checker';
import { isOfLoneLiar, type SeenMissing } from './lone-liar';
import { LIES } from './plan-trouble';

/** What the reconciler may find whatever happens: of what is under way, of nodes, of what is left in a wallet. */
const PASSING =
  /^(stuck_transaction|abandoned_order|overdue_reclaim|low_\w+|wallet_refused|wallet_unread|block_unreadable|block_accepted|free_activations|bandwidth_burned|deposit_unexplained|deposit_left_out|wallet_act|deposits_behind|signer_unavailable)$/;
/** And of a wallet that somebody else has used. */
const FOREIGN =
  /^(shortage|delegation_missing|delegation_double|delegation_foreign|undelegation_foreign|returned_stake_lent|foreign_stake_\w+|wallet_used|wallet_changed)$/;

/** Nothing has changed but that somebody else's transaction was seen. */
const ONLY_SEEN = /^used_block \d+ \d+$/;

interface FindingRow extends SeenMissing {
  readonly subject: string;
  readonly subject_id: string | null;
  readonly reason: string;
  readonly is_open: boolean;
  /** What changed, where no block explains it. */
  readonly changed: string | null;
  /** The address of its wallet, or of its order's. */
  readonly wallet: string | null;
}

const FINDINGS = `
  select f.reason_code as code, f.subject, f.subject_id, f.reason, f.resolved_at is null as is_open, f.parameters->>'changed' as changed,
         f.parameters->>'lent_sun' as lent_sun, extract(epoch from f.first_seen_at)::float8 * 1000 as first_seen_ms,
         coalesce(w.address, o.address) as wallet
    from findings f left join pool_wallets w on w.id = f.wallet_id
    left join delegations d on d.id::text = f.subject_id left join pool_wallets o on o.id = d.wallet_id
   order by f.id`;

/**
 * The reconciler ran all the time. It has to have found what was missing and nothing that was not, paused no wallet for nothing, and
 * repaired nothing, for nothing was broken.
 */
export async function checkFindings(
  { database, chain, tally, plan }: End,
  orders: readonly OrderRow[],
): Promise<string[]> {
  const { rows } = await database.query<FindingRow>(FINDINGS);
  for (const { code } of rows) tally.add(`found ${code}`);
  const foreign = [...chain.foreignTxIds].filter(([txId]) => chain.node.blocks.findTransaction(txId));
  const usedByOthers = new Set(foreign.map(([, address]) => address));
  const byHand = [...chain.handTxIds].filter(([txId]) => chain.everIncluded.has(txId));
  const usedByHand = new Set(byHand.map(([, address]) => address));
  // What a stranger did in a block that a fork has dropped may be in one that no node shows: a signature with the wallet's key it is.
  const isHidden = plan.actions.some(({ kind }) => kind === 'unreadable-blocks');
  const dropped = [...chain.foreignTxIds].filter(([txId]) => isHidden && chain.droppedMs.has(txId));
  const usedInDropped = new Set(dropped.map(([, address]) => address));
  const isOfDropped = ({ changed, wallet }: FindingRow) =>
    changed !== null && ONLY_SEEN.test(changed) && wallet !== null && usedInDropped.has(wallet);
  const hasOtherKeys = plan.actions.some(({ kind }) => kind === 'signer-other');
  const isLawful = (row: FindingRow) =>
    PASSING.test(row.code) ||
    (FOREIGN.test(row.code) && row.wallet !== null && usedByOthers.has(row.wallet)) ||
    (row.code === 'care_key' && hasOtherKeys) ||
    (row.code === 'wallet_changed' && row.wallet !== null && usedByHand.has(row.wallet)) ||
    isOfDropped(row) ||
    isOfLoneLiar(plan, row);
  const wrong = rows
    .filter((row) => !isLawful(row))
    .map(({ code, subject, reason }) => `the reconciler found ${code} of ${subject}, which is not so: ${reason}`);
  const short = rows.filter(({ code, is_open: isOpen }) => code === 'shortage' && isOpen);
  const found = new Set(short.map(({ subject_id: id }) => id));
  const missed = orders
    .filter(({ id, shortage_sun: sun }) => BigInt(sun) > 0n && !found.has(id))
    .map(({ id, shortage_sun: sun }) => `of order ${id}, ${sun} sun are missing, and the reconciler did not find it`);
  const uses = new Set(rows.filter(({ code }) => code === 'wallet_used').map(({ subject_id: txId }) => txId));
  const changed = new Set(rows.filter(({ code }) => code === 'wallet_changed').map(({ wallet }) => wallet));
  // What a block did that no node shows, or none in a way that proves it, is a difference that no block explains.
  const isAllShown = plan.actions.every(({ kind }) => kind !== 'unreadable-blocks');
  const isAllProved = plan.actions.every(
    (action) => action.kind !== 'node-fault' || !LIES.some((lie) => lie === action.fault),
  );
  const unseen = foreign
    .filter(([txId, from]) => isAllShown && !uses.has(txId) && (isAllProved || !changed.has(from)))
    .map(([txId, from]) => `somebody else has used ${from} (${txId}), and the reconciler did not find it`);
  const { rows: paused } = await database.query<{ name: string; address: string }>(
    `select name, address from pool_wallets where state = 'paused'`,
  );
  const pausedForDropped = new Set(rows.filter(isOfDropped).map(({ wallet }) => wallet));
  const needlessly = paused
    .filter(({ address }) => !usedByOthers.has(address) && !pausedForDropped.has(address))
    .map(({ name }) => `${name} is paused, and nobody else has used it`);
  return [...wrong, ...missed, ...unseen, ...needlessly];
}
