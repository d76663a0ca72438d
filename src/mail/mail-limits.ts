/** Mails that forms ask for, in an hour; what comes on top is dropped with the same answer. */
export const MOST_FOR_NETWORK = 20;
export const MOST_FOR_ADDRESS = 5;

/** Mails that say what has changed in an account, for each kind and mailbox: a loop that makes tokens hides no change of the password. */
export const MOST_TOLD_AN_HOUR = 5;
export const MOST_TOLD_A_DAY = 20;
