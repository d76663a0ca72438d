/** The most that a node's answer may have. An honest node's never does: what has more comes from one that would stop the process. */
export interface AnswerBound {
  /** After inflation. */
  readonly bytes: number;
  /** Objects, lists, their members and their entries, as `AnswerScan` counts them: what takes time to parse, and memory. */
  readonly parts: number;
}

const KB = 1024;
const MB = 1024 * KB;

/** A few fields; a broadcast's also what a node says of it. */
const SMALL: AnswerBound = { bytes: 64 * KB, parts: 2_000 };
/** 2 MB of transactions at most (java-tron's BLOCK_SIZE), which are five times as long as JSON: ten thousand of the shortest, 45 parts each. */
const BLOCK: AnswerBound = { bytes: 12 * MB, parts: 600_000 };
/**
 * Twenty blocks of 1,600 transactions. Twenty full ones would be 200 MB: they are asked for one by one when the answer to all of them
 * was too long.
 */
const BLOCKS: AnswerBound = { bytes: 32 * MB, parts: 2_000_000 };
/** Every token that was ever sent to an account stands in four lists of its own: ten thousand tokens. */
const ACCOUNT: AnswerBound = { bytes: 4 * MB, parts: 300_000 };

const BOUNDS: Readonly<Record<string, AnswerBound>> = {
  getblockbynum: BLOCK,
  getblockbylimitnext: BLOCKS,
  getaccount: ACCOUNT,
  getaccountresource: ACCOUNT,
  /** A hundred parameters. */
  getchainparameters: { bytes: 256 * KB, parts: 10_000 },
  /** Everybody who was ever a candidate, some hundreds, with a URL each. */
  listwitnesses: { bytes: 2 * MB, parts: 100_000 },
  /** A wallet's receivers, 45 bytes each: a hundred thousand and more. */
  getdelegatedresourceaccountindexv2: { bytes: 8 * MB, parts: 200_000 },
  /** What a contract gives back and logs, and the transaction that it would be. */
  triggerconstantcontract: { bytes: MB, parts: 20_000 },
  getnextmaintenancetime: SMALL,
  getcandelegatedmaxsize: SMALL,
  /** Two records. */
  getdelegatedresourcev2: SMALL,
  broadcasttransaction: SMALL,
};

/** A route that is not named has short answers. */
export function boundOf(route: string, body: unknown): AnswerBound {
  if (route === 'getblock') return (body as { detail?: unknown } | null)?.detail === false ? SMALL : BLOCK;
  return BOUNDS[route] ?? SMALL;
}
