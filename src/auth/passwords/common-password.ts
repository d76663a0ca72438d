import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What follows could make a password only better, and takes ever longer to look at. */
const MOST_LOOKED_AT = 64;

let worker: Worker | null = null;

/**
 * Whether a password is among the first that are tried: one of the lists, rows of keys, repetitions, dates, what is made of these, or
 * of the given words. One look at a time: the caller sees to that (`HashingQueue`).
 */
export async function isCommonPassword(password: string, words: readonly string[]): Promise<boolean> {
  const own = words.flatMap((word) => [word, ...word.split(/[@.\s]+/)]).filter((word) => word.length > 2);
  const thread = (worker ??= start());
  thread.postMessage({ password: password.slice(0, MOST_LOOKED_AT), words: own });
  // A process that ends waits for an answer under way, and not for the thread.
  thread.ref();
  try {
    const [isCommon] = (await once(thread, 'message')) as [boolean];
    return isCommon;
  } finally {
    thread.unref();
  }
}

/** Some 20 MB, so not before a user chooses a password: few processes see that. A thread that failed is replaced at the next look. */
function start(): Worker {
  const thread = new Worker(join(__dirname, `common-password.worker${extname(__filename)}`));
  thread.once('error', () => (worker = null));
  return thread;
}
