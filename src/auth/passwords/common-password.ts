import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What follows could make a password only better, and takes ever longer to look at. */
const MOST_LOOKED_AT = 64;
/** A limit for the user's own words: a name of a hundred letters with blanks between would make some thousands. */
const MOST_OWN_WORDS = 100;
/** Shorter ones are in many a sound password by chance. */
const SHORTEST_WORD = 3;
/** The slowest look takes a third of a second, and the first one loads the lists. */
const LONGEST_LOOK_MS = 10_000;

interface Look {
  readonly number: number;
  readonly isCommon: boolean;
}

let worker: Worker | null = null;
let looks = 0;

/**
 * Whether a password is among the first that are tried: one of the lists, rows of keys, repetitions, dates, what is made of these, or
 * of the given words. One look at a time: the caller sees to that (`HashingQueue`). A look without an end would hold that queue, and
 * every sign-in with it, so it is ended, and its password counts as common.
 */
export async function isCommonPassword(
  password: string,
  words: readonly string[],
  longestMs = LONGEST_LOOK_MS,
): Promise<boolean> {
  const thread = (worker ??= start());
  const number = ++looks;
  thread.postMessage({ number, password: password.slice(0, MOST_LOOKED_AT), words: ownWordsOf(words) });
  // A process that ends waits for an answer under way, and not for the thread.
  thread.ref();
  const signal = AbortSignal.timeout(longestMs);
  try {
    for (;;) {
      const [look] = (await once(thread, 'message', { signal })) as [Look];
      // The answer to a look whose caller has gone is another password's.
      if (look.number === number) return look.isCommon;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    forget(thread);
    await thread.terminate();
    return true;
  } finally {
    thread.unref();
  }
}

/** As many of each text: a long name takes none from the address. */
export function ownWordsOf(texts: readonly string[]): string[] {
  const most = Math.floor(MOST_OWN_WORDS / Math.max(1, texts.length));
  return texts.flatMap((text) => [...new Set(ownWords(text))].slice(0, most));
}

/** The text, its parts between signs and blanks, then parts beside each other written as one: `walletco` of `Wallet-Co Ltd`. */
function ownWords(text: string): string[] {
  const parts = text.split(/[^\p{L}\p{M}\p{N}]+/u);
  const joined = parts.flatMap((_, first) => joinedFrom(parts.slice(first)));
  return [text, ...parts, ...joined].filter((word) => word.length >= SHORTEST_WORD);
}

/** The first part, the first two, and so on, as long as a password could hold them. */
function joinedFrom(parts: readonly string[]): string[] {
  const joined: string[] = [];
  let word = '';
  for (const part of parts) {
    word += part;
    if (word.length > MOST_LOOKED_AT) break;
    joined.push(word);
  }
  return joined;
}

/** Some 20 MB, so not before a user chooses a password: few processes see that. A thread that failed is replaced at the next look. */
function start(): Worker {
  const thread = new Worker(join(__dirname, `common-password.worker${extname(__filename)}`));
  thread.once('error', () => forget(thread));
  return thread;
}

function forget(thread: Worker): void {
  if (worker === thread) worker = null;
}
