/** Something that was asked for by hand and cannot be done; its message is for whoever asked. */
export class ChainControlError extends Error {}
