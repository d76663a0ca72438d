import { bug, type Bug } from './patch';

/** Bugs that leave all that the service has written in agreement with itself. */
export const TRUTH_BUGS: readonly Bug[] = [
  bug(
    'fee-doubled',
    'billing/pricing/variant-a.pricing.ts',
    'multipliedBy(UNIT_PRICE_SUN)',
    'multipliedBy(2 * UNIT_PRICE_SUN)',
  ),
  bug(
    'activation-for-nothing',
    'billing/billing.service.ts',
    'const fromQuotaSun = activation ? ACTIVATION_FEE_SUN : 0n;',
    'const fromQuotaSun = activation ? 0n : 0n;',
  ),
  bug(
    'half-the-stake',
    'delegation/placing/plan-order.ts',
    'stakeForEnergyCeil(energy, rate,',
    'stakeForEnergyCeil(energy / 2n, rate,',
  ),
  bug(
    'token-day-counts-what-was-paid',
    'billing/hold.statements.ts',
    '${LIST_PRICE} as counted_sun',
    '${COST} as counted_sun',
  ),
  bug(
    'reused-key-answers-another-body',
    'delegation/placing/idempotent-replay.ts',
    'if (!isSameRequest(request, earlier,',
    'if (request.rentalMinutes < 0 && !isSameRequest(request, earlier,',
  ),
  bug(
    'final-one-block-early',
    'chain/proof/final-height.ts',
    '[mostMissing(newestHeights.length)] ?? 0;',
    '[mostMissing(newestHeights.length) + 1] ?? 0;',
    { file: 'src/chain/proof/final-height.ts', from: 'solid - BEHIND_SOLID', to: 'solid' },
  ),
  bug(
    'resends-forgotten',
    'chain/observer/block-follower.ts',
    'if (this.work.isBusy) this.broadcasts.begin(headTimeMs);',
    '',
  ),
  bug(
    'stake-of-failed-orders-kept',
    'chain/pool/wallets/pool-wallet.sql.ts',
    'and d.${IS_OPEN_ORDER}), 0)',
    "and (d.${IS_OPEN_ORDER} or d.state = 'failed')), 0)",
  ),
  bug(
    'balance-refused-far-above-the-price',
    'billing/hold.statements.ts',
    'when (${COST} <= payer.spendable) is not true',
    'when (${COST} + 20000000 <= payer.spendable) is not true',
  ),
  bug(
    'webhook-signed-by-own-clock',
    'webhooks/delivery/attempt-delivery.ts',
    'const timestamp = Number(delivery.timestamp);',
    'const timestamp = Math.floor(Date.now() / 1000);',
  ),
  bug(
    'webhook-signed-without-its-body',
    'webhooks/delivery/attempt-delivery.ts',
    'signWebhook({ id, timestamp, body }, secrets)',
    "signWebhook({ id, timestamp, body: '' }, secrets)",
  ),
  bug(
    'included-without-a-block',
    'delegation/order-events.ts',
    "['delegated', 'taking_back']",
    "['delegated', 'taking_back', 'failed']",
  ),
  bug(
    'reclaim-minutes-late',
    'delegation/settlement/settle-order.ts',
    'blockMs + this.reclaimAfterMs(order)',
    'blockMs + this.reclaimAfterMs(order) + 120_000',
  ),
  bug(
    'use-of-a-wallet-not-found',
    'reconciliation/reconciler.ts',
    'await this.useQuarantine.keep(looked.uses, faults)',
    'await this.useQuarantine.keep([], faults)',
  ),
  bug(
    'reconciler-never-pauses',
    'reconciliation/reconciler.ts',
    'await this.wallets.pause(chain.findings, faults)',
    'await this.wallets.pause([], faults)',
    {
      file: 'src/reconciliation/uses/use-quarantine.service.ts',
      from: 'if ((await tx.execute(PAUSE_USED, [walletId])) === 0) return false;',
      to: 'return false;',
    },
  ),
  bug('silent-line-waited-for', 'database/connection-limits.ts', 'query_timeout: 20_000,', ''),
  bug(
    'claim-of-a-wrong-clock-waited-for',
    'delegation/leases.ts',
    "or d.claimed_until > clock_timestamp() + (d.claim_ms + 10000) * interval '1 millisecond')",
    ')',
  ),
  bug(
    'refused-statement-taken-as-committed',
    'database/sql.ts',
    "await tx.answered();\n    if (commit.command !== 'COMMIT') throw new Error('the transaction had failed before its commit');",
    '',
    { file: 'src/database/sql.ts', from: 'if (this.crashPoints?.isSet(points)) await tx.answered();', to: '' },
  ),
  bug(
    'foreign-stake-not-found',
    'reconciliation/chain/chain-comparison.ts',
    'if (readings.some(({ difference }) => isExplained(difference))) return;',
    'if (readings.length > 0) return;',
  ),
  bug(
    'foreign-stake-hidden-by-one-word',
    'reconciliation/chain/chain-comparison.ts',
    'this.readUnlessHidden(suspect.pair, head)',
    'this.read(suspect.pair, head)',
  ),
];
