import { once } from 'node:events';
import type { Server } from 'node:http';
import { closeAnswered } from '../common/http/pipeline';

/** Orders in flight are answered within the answer's time-out; what hangs longer is cut. */
const CUT_AFTER_MS = 30_000;
const TIDY_EVERY_MS = 50;

/** Takes no more connections and returns once every request in flight is answered. */
export async function drain(server: Server, cutAfterMs = CUT_AFTER_MS): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // Now, and where the body of a request was still on its way a moment later.
  closeAnswered(server);
  // A connection that was busy at that moment would be kept open for a next request when its answer is out.
  const tidy = setInterval(() => {
    closeAnswered(server);
    server.closeIdleConnections();
  }, TIDY_EVERY_MS);
  const cut = setTimeout(() => server.closeAllConnections(), cutAfterMs);
  await closed;
  clearInterval(tidy);
  clearTimeout(cut);
}
