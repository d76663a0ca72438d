import type { Attention } from '../http/account-attention';
import type { PageContext } from '../http/page-context';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { WEBHOOK_MESSAGES } from '../messages/webhook.messages';
import { shortTrx } from './values';

/** Above every page of a user, until it is put right. */
export function AttentionBanner({ pageContext, attention }: { pageContext: PageContext; attention: Attention }) {
  const money = MONEY_MESSAGES[pageContext.locale];
  const webhooks = WEBHOOK_MESSAGES[pageContext.locale];
  const { lowBalance, stoppedWebhooks } = attention;
  return (
    <>
      {lowBalance && (
        <p class="notice attention">
          {money.isLow(shortTrx(lowBalance.availableSun), shortTrx(lowBalance.thresholdSun))}{' '}
          <a href="/panel/balance">{money.title}</a>
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
