import type { Attention } from '../http/account-attention';
import { MONEY_MESSAGES } from '../messages/money.messages';
import { WEBHOOK_MESSAGES } from '../messages/webhook.messages';
import { useMessages } from './current-page';
import { shortTrx } from './values';

/** Above every page of a user, until it is put right. */
export function AttentionBanner({ attention }: { attention: Attention }) {
  const money = useMessages(MONEY_MESSAGES);
  const webhooks = useMessages(WEBHOOK_MESSAGES);
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
