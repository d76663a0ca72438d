/** Base URLs of the configured nodes, or of the local chain, without a trailing slash. */
export interface NodeEndpoints {
  /** They serve `/wallet/*`. */
  readonly fullNodeUrls: readonly string[];
  /** They serve `/walletsolidity/*`. */
  readonly solidityNodeUrls: readonly string[];
  /** Why there are none. On the command line the local chain may not be running, and commands without a chain still work. */
  readonly absence?: string;
}

/** Injection token of NodeEndpoints. */
export const NODE_ENDPOINTS = Symbol('NODE_ENDPOINTS');
