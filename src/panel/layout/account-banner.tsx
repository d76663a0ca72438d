import type { AccountState } from '../http/account-state';
import { TOP_UP } from '../money/top-up-text';
import { useMessages, useVisit } from './current-visit';
import { shortTrx } from './values';

/** Above every page of a user, until it is put right. */
export function AccountBanner({ account }: { account: AccountState }) {
  const money = useMessages('money');
  const deposit = useMessages('deposit');
  const webhooks = useMessages('webhook');
  const { topUp } = useVisit();
  const { lowBalance, stoppedWebhooks } = account;
  return (
    <>
      {lowBalance && (
        <p class="notice attention">
          {money.isLow(shortTrx(lowBalance.availableSun), shortTrx(lowBalance.thresholdSun))}{' '}
          <a href={topUp.deposits ? TOP_UP : '/panel/balance'}>{topUp.deposits ? deposit.title : money.title}</a>
        </p>
      )}
      {stoppedWebhooks > 0 && (
        <p class="notice attention">
          {webhooks.stopped(String(stoppedWebhooks))} <a href="/panel/webhooks">{webhooks.seeThem}</a>
        </p>
      )}
    </>
  );
}
