/** Base URLs of the chain's nodes: the configured ones, or the local chain's. */
export interface NodeEndpoints {
  readonly fullNodeUrls: readonly string[];
  readonly solidityNodeUrls: readonly string[];
}

export const NODE_ENDPOINTS = Symbol('NODE_ENDPOINTS');
