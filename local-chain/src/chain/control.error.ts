/** A request by hand that cannot be done; its message is for the caller. */
export class ChainControlError extends Error {}
