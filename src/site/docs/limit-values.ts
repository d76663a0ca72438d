import { MOST_FREE_ACTIVATIONS } from '../../delegation/placing/free-activations';
import { MOST_FOR_ADDRESS, MOST_FOR_NETWORK, MOST_TOLD_AN_HOUR } from '../../mail/mail-limits';
import { MOST_OF_NEWCOMERS as MOST_SIZINGS_OF_NEWCOMERS, MOST_SIZINGS } from '../../quote/size-transfer';
import { MOST_OF_NEWCOMER, MOST_OF_NEWCOMERS, MOST_OF_USER } from '../../webhooks/webhook.service';

/** What accounts and newcomers are limited to, as the documents name it: the numbers by which the service decides. */
export const LIMIT_VALUES: Readonly<Record<string, string>> = {
  free_activations: String(MOST_FREE_ACTIVATIONS),
  mails_of_network: String(MOST_FOR_NETWORK),
  mails_of_address: String(MOST_FOR_ADDRESS),
  mails_told: String(MOST_TOLD_AN_HOUR),
  webhooks: String(MOST_OF_USER),
  webhooks_of_newcomer: String(MOST_OF_NEWCOMER),
  webhooks_of_network: String(MOST_OF_NEWCOMERS.network),
  sizings: String(MOST_SIZINGS),
  sizings_of_network: String(MOST_SIZINGS_OF_NEWCOMERS.network),
};
