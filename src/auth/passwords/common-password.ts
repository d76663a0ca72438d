import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What follows could make a password only better, and takes ever longer to look at. */
const MOST_LOOKED_AT = 64;
/** The slowest look takes a third of a second, and the first one loads the lists. */
const LONGEST_LOOK_MS = 10_000;

let worker: Worker | null = null;

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
  const own = words.flatMap((word) => [word, ...word.split(/[@.\s]+/)]).filter((word) => word.length > 2);
  const thread = (worker ??= start());
  thread.postMessage({ password: password.slice(0, MOST_LOOKED_AT), words: own });
  // A process that ends waits for an answer under way, and not for the thread.
  thread.ref();
  const signal = AbortSignal.timeout(longestMs);
  try {
    const [isCommon] = (await once(thread, 'message', { signal })) as [boolean];
    return isCommon;
  } catch (error) {
    if (!signal.aborted) throw error;
    forget(thread);
    await thread.terminate();
    return true;
  } finally {
    thread.unref();
  }
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
