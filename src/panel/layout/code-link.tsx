import { ERROR_ANSWERS } from '../../common/errors/error-codes';
import { useVisit } from './current-visit';

/** A reason of the API, which leads to what the documents say of it; one of a later version leads nowhere. */
export function CodeLink({ code }: { readonly code: string }) {
  const { locale } = useVisit();
  if (!Object.hasOwn(ERROR_ANSWERS, code)) return <code>{code}</code>;
  return (
    <a href={`/docs/${locale}/errors#${code}`}>
      <code>{code}</code>
    </a>
  );
}
