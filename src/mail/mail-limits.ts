/**
 * Mails that forms ask for, in an hour; what comes on top is dropped with the same answer. A provider gives one customer up to an IPv6 network of
 * 48 bits, and a stranger may have any number of networks. Those that are sent and those that are not count apart: addresses without an account
 * use up no customer's link to a new password.
 */
export const MOST_FOR_NETWORK = 20;
export const MOST_FOR_WIDE_NETWORK = 80;
export const MOST_FOR_ADDRESS = 5;
/** As many of an address's mails are kept for links to a new password alone: sign-ups use up none of them. */
export const PLACES_FOR_RESET = 1;
export const MOST_OF_KIND = 1_000;

/** Mails that say what has changed in an account, for each kind and mailbox: a loop that makes tokens hides no change of the password. */
export const MOST_TOLD_AN_HOUR = 5;
export const MOST_TOLD_A_DAY = 20;
