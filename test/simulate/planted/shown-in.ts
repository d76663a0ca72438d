import type { NodeLie } from '../network/node-lies';
import type { WayToBeLarge } from '../network/too-large-answers';
import { isOfSigner, type SignerAction } from '../world/plan-signer';
import type { Payment, Plan } from '../world/plan';

/** No more than the reclaims of some orders need. */
const FEW_TRX = 100;

/** What a history has to have for a bug to show; others are not tried. */
export const SHOWN_IN: Readonly<Record<string, (plan: Plan) => boolean>> = {
  'accounts-without-a-bound': (plan) => hasTooLarge(plan, /getaccount/),
  'block-of-deposits-skipped': hasDeposits,
  'bandwidth-of-reclaims-restaked': (plan) => hasOperation(plan, 'freeze', FEW_TRX),
  'capped-reclaim-without-its-lock': hasShort,
  'claimed-twice-a-day': hasCare,
  'deposit-credited-from-the-head': hasDeposits,
  'deposit-credited-twice': hasDeposits,
  'dirty-address-not-masked': (plan) => hasPayment(plan, 'with a dirty address word'),
  'failed-call-credited': (plan) => hasPayment(plan, 'of more than there is', 'without enough energy'),
  'foreign-stake-hidden-by-one-word': (plan) => hasLie(plan, 'nothing is lent'),
  'included-on-a-doomed-branch': (plan) => hasSilence(plan) && plan.settings['DELEGATION_ANSWER'] === 'included',
  'inflated-without-a-bound': (plan) => hasTooLarge(plan, /./, 'inflated'),
  'more-lent-than-the-stake': (plan) => hasLie(plan, 'a thousandfold is left'),
  'late-answer-to-another': (plan) => hasSigner(plan, 'signer-hang', 'signer-kill'),
  'limits-forgotten-by-a-restart': ({ signer }) =>
    signer !== undefined && (signer.mostOrders ?? signer.mostTransfers) !== null,
  'key-without-its-verdict': hasAnotherKey,
  'refused-key-pauses-for-good': (plan) => hasSigner(plan, 'signer-other', 'signer-hang'),
  'signature-not-compared': (plan) => hasSigner(plan, 'signer-swap'),
  // Another instance would take back what this one waits for.
  'unsigned-waits-for-good': (plan) => plan.clocksOffMs.length === 1 && hasSigner(plan, 'signer-hang'),
  'old-rate-credited': hasDeposits,
  'orders-begun-in-a-stall': hasSilence,
  'other-token-credited': (plan) => hasPayment(plan, 'in another token'),
  'payment-of-the-pool-credited': (plan) => hasPayment(plan, 'from a pool wallet'),
  'rate-of-the-credit': hasDeposits,
  // Where anything else happens, a reclaim may be late.
  'reclaim-minutes-late': ({ actions }) => actions.every(({ kind }) => kind === 'order' || kind === 'weight'),
  'shortage-by-one-word': (plan) => hasLie(plan, 'nothing is lent'),
  'shortage-hidden-by-another-refusal': (plan) => hasLie(plan, 'each broadcast has a wrong signature'),
  'reserved-stake-unfrozen': (plan) => hasOperation(plan, 'unfreeze'),
  'solid-block-of-no-chain': (plan) => hasLie(plan, 'a solid block above the head', 'a solid block of long ago'),
  'votes-of-what-is-unfrozen': (plan) => hasOperation(plan, 'unfreeze'),
};

function hasDeposits({ settings }: Plan): boolean {
  return settings['DEPOSIT_XPUB'] !== undefined;
}

function hasPayment({ actions }: Plan, ...ways: readonly Payment['way'][]): boolean {
  return actions.some((action) => action.kind === 'payment' && ways.includes(action.payment.way));
}

function hasCare({ care }: Plan): boolean {
  return care !== undefined;
}

/** Long enough for the service to see it, and of a permission: for a wallet's own key no verdict is needed to find it. */
function hasAnotherKey({ actions, signer }: Plan): boolean {
  const isSeen = (action: Plan['actions'][number]) =>
    action.kind === 'signer-other' && action.has === 'another key' && action.forMs > 12_000;
  return signer?.wallets[0] === 'permission' && actions.some(isSeen);
}

function hasSigner({ actions }: Plan, ...kinds: readonly SignerAction['kind'][]): boolean {
  return actions.some((action) => isOfSigner(action) && kinds.includes(action.kind));
}

function hasOperation({ actions, care }: Plan, does: 'freeze' | 'unfreeze', mostTrx = Infinity): boolean {
  return actions.some(
    (action) => action.kind === 'stake-operation' && action.does === does && care![action.wallet]!.trx < mostTrx,
  );
}

function hasLie({ actions }: Plan, ...lies: readonly NodeLie[]): boolean {
  return actions.some((action) => action.kind === 'node-lies' && lies.includes(action.lie));
}

function hasTooLarge({ actions }: Plan, route: RegExp, way?: WayToBeLarge): boolean {
  return actions.some(
    (action) =>
      action.kind === 'too-large-answers' && route.test(action.route) && (way === undefined || action.way === way),
  );
}

function hasShort({ actions }: Plan): boolean {
  return actions.some((action) => action.kind === 'order' && action.order.key?.startsWith('short'));
}

function hasSilence({ actions }: Plan): boolean {
  return actions.some(({ kind }) => kind === 'silent-witnesses');
}
