import { bug, type Bug } from './patch';

const CREDIT = 'deposits/credit-deposits.ts';
const STATEMENTS = 'deposits/deposit.statements.ts';
const FEED = 'chain/observer/final-feed.ts';
const TRANSFER = 'chain/proof/transfer.ts';
const RATES = 'deposits/deposit-rates.ts';

/** Bugs about what customers pay in. */
export const DEPOSIT_BUGS: readonly Bug[] = [
  bug(
    'deposit-credited-twice',
    CREDIT,
    'if ((await tx.execute(CREDITED, [id])) !== 1) throw new Error(`deposit ${id} was not due`);',
    'tx.afterCommit(() => void this.sql.execute(CREDITED, [id]).catch(() => undefined));',
    { file: `src/${CREDIT}`, from: '`${txid}:${index}`', to: '`${txid}:${index}:${Math.random()}`' },
  ),
  bug(
    'deposit-credited-from-the-head',
    STATEMENTS,
    'amount, txid, index, state, block_number, block_id, block_at)',
    'amount, txid, index, state, is_final, credit_sun, block_number, block_id, block_at)',
    {
      file: `src/${STATEMENTS}`,
      from: "n.txid, n.index, 'seen', $2, $3, to_timestamp",
      to: "n.txid, n.index, 'seen', true, n.amount, $2, $3, to_timestamp",
    },
  ),
  bug(
    'block-of-deposits-skipped',
    FEED,
    'for (const header of some) {\n        // A branch',
    'for (const header of some.length > 3 ? some.slice(1) : some) {\n        // A branch',
    {
      file: `src/${FEED}`,
      from: 'if (place?.id !== header.parentId || Number(place.number) !== header.number - 1) return false;',
      to: 'if (!place || Number(place.number) >= header.number) return false;',
    },
  ),
  bug(
    'other-token-credited',
    'deposits/found-transfers.ts',
    'if (!transfer || (transfer.token !== null && transfer.token !== usdt)) continue;',
    'if (!transfer) continue;',
  ),
  bug(
    'failed-call-credited',
    TRANSFER,
    'if (!claim || !isWanted(claim.to) || !hasSucceeded(tail)) return null;',
    'if (!claim || !isWanted(claim.to)) return null;',
  ),
  bug(
    'dirty-address-not-masked',
    TRANSFER,
    '{ to: to.subarray(WORD - ADDRESS_BYTES), amount }',
    '{ to: to.subarray(to.subarray(0, 12).every((byte) => byte === 0) ? 12 : 0), amount }',
  ),
  bug(
    'old-rate-credited',
    RATES,
    'return rate && timeMs - rate.sinceMs <= mostMs ? rate.sunPerUsdt : null;',
    'return rate && mostMs > 0 ? rate.sunPerUsdt : null;',
  ),
  bug(
    'rate-of-the-credit',
    RATES,
    'and since <= to_timestamp($1::float8 / 1000) order by',
    'and $1::float8 > 0 order by',
  ),
  bug(
    'payment-of-the-pool-credited',
    'deposits/deposit-scanner.ts',
    'const paid = toUs.filter((transfer) => !ours.has(senderOf(transfer)));',
    'const paid = toUs;',
  ),
];
