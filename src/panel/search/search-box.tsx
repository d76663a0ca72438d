import { useVisit, useMessages } from '../layout/current-visit';
import { SEARCH_PATH } from './search-path';

/** In the header of every page. No `maxlength`: a browser would cut what is pasted; blanks around it are no part of it. */
export function SearchBox() {
  const { url, user } = useVisit();
  const messages = useMessages('search');
  const [path, query] = url.split('?');
  const typed = path === SEARCH_PATH ? (new URLSearchParams(query).get('q') ?? '') : '';
  return (
    <form role="search" method="get" action={SEARCH_PATH} class="search">
      <input
        type="search"
        name="q"
        id="search"
        value={typed}
        placeholder={user?.operator ? messages.operatorPlaceholder : messages.userPlaceholder}
        aria-label={messages.title}
        aria-keyshortcuts="/"
        autocomplete="off"
        spellcheck={false}
      />
    </form>
  );
}
