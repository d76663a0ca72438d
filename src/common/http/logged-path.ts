import { firstCharacters } from '../text';

/** Longer than any of ours; a stranger's may be 16 KB. */
const LONGEST_PATH = 200;
/** The key of a shared receipt opens it, so it stays out of logs and traces. */
const SHARED_RECEIPT = /^(\/+r\/+)[^/]+/i;

/** The path of a request for logs and traces: without its query, which may carry a link's secret. */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return firstCharacters(path.replace(SHARED_RECEIPT, '$1:key'), LONGEST_PATH);
}
