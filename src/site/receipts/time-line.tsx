import type { Language } from '../../../config/languages';
import { LANGUAGES } from '../../languages/languages';

interface Props {
  readonly language: Language;
  readonly from: string;
  /** Null while the energy is with its receiver. */
  readonly to: string | null;
  readonly minute: (iso: string) => string;
}

/** When the energy was with its receiver, as a picture. */
export function TimeLine({ language, from, to, minute }: Props) {
  const texts = LANGUAGES[language].site.receipt;
  const label = to === null ? texts.pictureOut(minute(from)) : texts.picture(minute(from), minute(to));
  return (
    <svg class="time-line" viewBox="0 0 640 84" role="img" aria-label={label}>
      <line x1="90" y1="26" x2={to === null ? 600 : 550} y2="26" class="span" />
      {to === null && <path d="M588 18 L602 26 L588 34" class="open" />}
      <circle cx="90" cy="26" r="10" class="out" />
      {to !== null && <circle cx="550" cy="26" r="10" class="back" />}
      <text x="90" y="58">
        {texts.delegated}
      </text>
      <text x="90" y="76" class="when">
        {minute(from)}
      </text>
      <text x="550" y="58">
        {to === null ? texts.still : texts.returned}
      </text>
      {to !== null && (
        <text x="550" y="76" class="when">
          {minute(to)}
        </text>
      )}
    </svg>
  );
}
