import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Visit, UserVisit } from '../http/visit';
import type { Messages } from '../messages/catalogues';

/** The page that is being rendered: its components read it here. */
export const CurrentVisit = createContext<Visit | null>(null);

export function useVisit(): Visit {
  const visit = useContext(CurrentVisit);
  if (!visit) throw new Error('Rendered outside a page');
  return visit;
}

/** For a page behind a guard that lets only users in. */
export function useUserVisit(): UserVisit {
  const visit = useVisit();
  if (!visit.user) throw new Error('Rendered for nobody');
  return visit as UserVisit;
}

/** An area's texts, in the language of the page. */
export function useMessages<Area extends keyof Messages>(area: Area): Messages[Area] {
  return useVisit().messages[area];
}

/** Links and forms in it lead to this page, not to the URL that answered with it. */
export function ShownAt({ url, children }: { url: string; children: ComponentChildren }) {
  return <CurrentVisit.Provider value={{ ...useVisit(), url }}>{children}</CurrentVisit.Provider>;
}
